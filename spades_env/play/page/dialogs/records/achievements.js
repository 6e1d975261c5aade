// The achievements: those that are earned, and how far the open ones are. The server derives them from what was played.

import { ask } from "../../connection.js";
import { openDialog, refill } from "../dialog.js";
import { el, lasting, mark } from "../../dom.js";
import { attempt } from "../../speech.js";
import { language, t } from "../../texts.js";

const SIGNS = { // on the medals
  nil: "0", ten_bid: "10", set_five: "★", one_star: "☆", no_bags: "♣", exact: "=", comeback: "↗", blind_nil: "∅",
  five_wins: "5", everyone: "♠", champion: "♛", ten_days: "♥",
};

export function openAchievements() {
  openDialog("achievements", t("achievements.title"), el("p", {}, "…"), { spec: "wide" });
  attempt(async () => refill("achievements", page((await ask("achievements")).achievements)));
}

function page(all) {
  const earned = all.filter((one) => one.when).sort((one, other) => (one.when < other.when ? 1 : -1));
  const open = all.filter((one) => !one.when);
  return [
    el("p", {}, el("b", {}, t("achievements.count", { done: earned.length, all: all.length }))),
    earned.length > 0 && el("ul.medals", {}, earned.map(line)),
    open.length > 0 && el("h3", {}, t("achievements.open")),
    open.length > 0 && el("ul.medals", {}, open.map(line)),
    el("p.quiet", {}, t("achievements.rule")),
  ];
}

function line({ key, name, how, when, done, of }) {
  const far = !when && of > 1 && el("small", {}, progress(done, of), ` ${done} / ${of}`);
  const date = when && el("small", {}, t("achievements.when", { when: dateOf(when) }));
  const words = el("span", {}, el("b", {}, name), el("span.how", {}, how), date || far);
  const node = el("li", {}, medal(key, Boolean(when)), words);
  mark(node, "has", when);
  return node;
}

// A day of a daily deal, or the moment at which a game ended.
function dateOf(when) {
  const moment = new Date(when.length > 10 ? when : `${when}T12:00`);
  return moment.toLocaleDateString(language, { dateStyle: "medium" });
}

function progress(done, of) {
  const bar = el("span.how-far", { "aria-hidden": "true" }, el("i"));
  lasting(bar, "--share", String(done / of));
  return bar;
}

export function medal(key, isEarned) {
  const node = el("span.medal", { "aria-hidden": "true" }, SIGNS[key] ?? "♦");
  mark(node, "has", isEarned);
  return node;
}
