// The daily deal: four hands that are the same for everybody on a day, beside the champion's own result.

import { ask } from "../../connection.js";
import { closeDialog, openDialog, refill } from "../dialog.js";
import { button, el, signed, table, tableRow } from "../../dom.js";
import { face } from "../../art/faces.js";
import { focusNext } from "../../table/focus.js";
import { copyText } from "./records.js";
import { starsOf } from "../game/players.js";
import { leavingButton } from "../people/leaving.js";
import { attempt } from "../../speech.js";
import { language, t } from "../../texts.js";

const ROLES = { 1: "role.opponent", 2: "role.partner", 3: "role.opponent", 0: "daily.champion" };
const MARKS = { "▲": "better", "▼": "worse", "=": "same" };

// The day by the person's calendar, as the server takes it.
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

const dateOf = (day, dateStyle) => new Date(`${day}T12:00`).toLocaleDateString(language, { dateStyle });

export function openDaily() {
  openDialog("daily", t("daily.title"), el("p", {}, "…"));
  attempt(async () => refill("daily", page((await ask("dailies", { day: today() })).daily)));
}

function page(status) {
  const { day, state, results, streak, played } = status;
  const own = results.find((one) => one.day === day);
  const older = results.filter((one) => one !== own);
  return [
    el("p.date", {}, dateOf(day, "full")),
    el("ul.daily-players", {}, [2, 1, 3, 0].map((seat) => player(status.players[seat]))),
    el("p", {}, aboutWords(status.players)),
    el("div.figures", {}, [
      figure(t("daily.in_a_row"), streak.now),
      figure(t("daily.most"), streak.best),
      figure(t("daily.days"), played),
    ]),
    own && el("section.daily-result", {}, [
      el("p.verdict", {}, verdict(own)),
      resultTable(own),
      el("div.row", {}, shareButton(own)),
    ]),
    el("p.quiet", {}, stateWords(status)),
    leavingButton(t(PLAY[state] ?? "daily.again"), play, PLAY[state] ? "button.strong.go-on" : "button"),
    older.length > 0 && el("section", {}, el("h3", {}, t("daily.latest")), latest(older)),
  ];
}

const PLAY = { new: "daily.play", open: "daily.resume" };

function aboutWords(players) {
  const [champion, left, partner, right] = players.map(({ name }) => name);
  return t("daily.about", { champion, left, partner, right });
}

function player({ seat, name, stars }) {
  const role = el("small", {}, t(ROLES[seat]));
  return el("li", {}, el("span.face", {}, face(name)), el("b", {}, name), role, starsOf(stars));
}

const figure = (words, value) => el("div.figure", {}, el("b", {}, String(value)), el("span", {}, words));

function stateWords({ state, counts }) {
  if (state === "over") return `${t("daily.tomorrow")} ${t("daily.again_words")}`;
  if (state === "given up") return t("daily.given_up");
  return t(counts ? "daily.lead" : "daily.late");
}

const play = () => attempt(async () => {
  await ask("daily", { day: today() });
  closeDialog();
  focusNext();
});

export const hasWon = ({ own, champion }) => champion !== null && own > champion;

// Who was better, the person or the champion.
export function verdict({ own, champion, by }) {
  if (champion === null) return t("daily.waiting");
  if (own === champion) return t("daily.level", { by });
  return t(own > champion ? "daily.beaten" : "daily.beaten_not", { by, count: Math.abs(own - champion) });
}

// The lead of every hand, the person's and the champion's.
export function resultTable({ own, champion, hands }) {
  const rows = hands.map((hand, i) => [t("hand", { hand: i + 1 }), lead(hand.own), lead(hand.champion), sign(hand)]);
  const total = tableRow([t("daily.total"), lead(own), lead(champion), ""], "tr.total");
  return table("daily-hands", ["", t("you"), t("daily.champion"), ""], [...rows, total]);
}

const lead = (points) => (points === null ? "…" : signed(points));

// Better or worse than the champion, as a sign with words for screen readers.
function sign({ own, mark }) {
  const kind = MARKS[mark] ?? "open";
  return el(`span.mark.${kind}`, { role: "img", "aria-label": t(`daily.${kind}`, { own: signed(own) }) }, mark ?? "…");
}

export function shareButton({ share }) {
  return share && button(t("daily.copy"), () => copyText(share));
}

function latest(results) {
  const heads = [t("daily.date"), t("you"), t("daily.champion"), t("daily.hands")];
  const rows = results.map(({ day, own, champion, hands }) => [
    dateOf(day, "medium"), lead(own), lead(champion), hands.map(sign),
  ]);
  return table("daily-hands", heads, rows);
}
