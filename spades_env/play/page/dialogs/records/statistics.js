// The person's statistics: by difficulty, with and against every character, bids, the rating after every game.

import { ask } from "../../connection.js";
import { openDialog, refill, tickbox } from "../dialog.js";
import { el, table } from "../../dom.js";
import { face } from "../../art/faces.js";
import { graph } from "../graph.js";
import { starsOf } from "../game/players.js";
import { attempt } from "../../speech.js";
import { characterOf, state } from "../../state.js";
import { decimal, percent, t } from "../../texts.js";

let unaided = false;

export function openStatistics() {
  openDialog("statistics", t("menu.statistics"), el("p", {}, "…"), { spec: "wide" });
  show();
}

const show = () => attempt(async () => refill("statistics", page((await ask("statistics", { unaided })).statistics)));

function page(found) {
  const filter = tickbox(t("stats.unaided"), unaided, (on) => {
    unaided = on;
    show();
  });
  const lost = found.left_out.length > 0 && el("p.quiet", {}, leftOut(found.left_out));
  if (!found.total.games) return [
    filter,
    lost,
    el("p", {}, t("stats.none")),
  ];
  return [
    el("div.figures", {}, [
      figure(t("stats.games"), found.total.games),
      figure(t("stats.won"), found.total.wins),
      figure(t("stats.lost"), found.total.losses),
      figure(t("stats.drawn"), found.total.draws),
      ratio() && figure(t("stats.wins"), share(found.total.win_rate)),
      figure(t("stats.rating"), found.rating),
    ]),
    el("p.quiet", {}, help(found)),
    lost,
    filter,
    found.ratings.some(Boolean) && el("section", {}, el("h3", {}, t("stats.rating")), ratings(found.ratings)),
    el("h3", {}, t("stats.by_difficulty")),
    tallies(Object.entries(found.by_difficulty), (key) => key, t("stats.difficulty")),
    el("div.columns", {}, [
      people(t("stats.with"), found.with_partner),
      people(t("stats.against"), found.against),
    ]),
    el("h3", {}, t("bids")),
    bids(found.bids),
    el("p.quiet", {}, t("stats.left_open")),
  ];
}

const ratio = () => !state.settings.hideRatio;
const share = (part) => (part === null || part === undefined ? "–" : percent(part));
const figure = (words, value) => el("div.figure", {}, el("b", {}, String(value)), el("span", {}, words));

function help({ aided, hints, takebacks, moved_for: movedFor }) {
  if (!aided) return t("stats.no_help");
  return t("stats.help", { aided, hints, takebacks, moved_for: movedFor });
}

function leftOut(sentences) {
  const count = sentences.length - 1;
  return count ? t("stats.more", { words: sentences[0], count }) : sentences[0];
}

function ratings(values) {
  const words = t("stats.graph", { count: values.length, rating: values.at(-1) });
  return graph([[0], ...values.map((value) => [value])], [t("stats.rating")], words);
}

// A draw counts as half a win. heading: of the first column; about: what the table is called.
function tallies(entries, nameOf, heading, about = heading) {
  const keys = ["games", "won", "lost", "drawn", ...(ratio() ? ["wins"] : [])];
  const heads = [heading, ...keys.map((key) => t(`stats.${key}`))];
  const rows = entries.map(([key, { games, wins, losses, draws, win_rate: rate }]) => [
    nameOf(key), games, wins, losses, draws, ...(ratio() ? [share(rate)] : []),
  ]);
  return el("div.scroll", { tabindex: 0, role: "group", "aria-label": about }, table("numbers", heads, rows));
}

function people(heading, tallied) {
  const entries = Object.entries(tallied).sort(([, a], [, b]) => b.games - a.games);
  if (!entries.length) return null;
  const name = (key) => {
    const one = characterOf(key);
    return [el("span.face.tiny", {}, face(one.name)), el("span", {}, one.name), one.stars ? starsOf(one.stars) : null];
  };
  return el("section", {}, el("h3", {}, heading), tallies(entries, name, t("stats.player"), heading));
}

function bids(found) {
  const of = (part, all) => (all ? t("stats.of", { part, all }) : "–");
  const mean = (value) => (value === null ? "–" : decimal(value));
  const rows = [
    [t("stats.hands"), found.hands],
    [t("stats.average"), mean(found.mean_bid)],
    [t("stats.off"), mean(found.off)],
    [t("stats.exact"), of(found.exact, found.plain)],
    [t("stats.made"), of(found.made, found.plain)],
    [t("stats.nils"), of(found.nils_kept, found.nils)],
    [t("stats.blind_nils"), of(found.blind_nils_kept, found.blind_nils)],
    [t("stats.bags"), found.hands ? decimal(found.bags / found.hands) : "–"],
  ];
  return table("numbers.plain-table", [], rows);
}
