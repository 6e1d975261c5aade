// The person's statistics: by difficulty, with and against every character, bids, the rating after every game.

import { ask } from "../connection.js";
import { openDialog, refill, tickbox } from "./dialog.js";
import { el } from "../dom.js";
import { face } from "../art/faces.js";
import { graph } from "./graph.js";
import { starsOf } from "./players.js";
import { notice } from "../speech.js";
import { characterOf, state } from "../state.js";

let unaided = false;

export async function openStatistics() {
  openDialog("statistics", "Statistics", el("p", {}, "…"), { spec: "wide" });
  await show();
}

async function show() {
  try {
    const { statistics } = await ask("statistics", { unaided });
    refill("statistics", ...page(statistics));
  } catch (error) {
    notice(error.message);
  }
}

function page(found) {
  const filter = tickbox("Only games without advice, takebacks, or moves made for me", unaided, (on) => {
    unaided = on;
    show();
  });
  const lost = found.left_out.length > 0 && el("p.quiet", {}, leftOut(found.left_out));
  if (!found.total.games) return [
    filter,
    lost,
    el("p", {}, "No game is finished yet. Games that were given up do not count."),
  ];
  return [
    el("div.figures", {}, [
      figure("Games", found.total.games),
      figure("Won", found.total.wins),
      figure("Lost", found.total.losses),
      figure("Drawn", found.total.draws),
      ratio() && figure("Wins", share(found.total.win_rate)),
      figure("Rating", found.rating),
    ]),
    el("p.quiet", {}, help(found)),
    lost,
    filter,
    found.ratings.length > 1 && el("section", {}, el("h3", {}, "Rating"), ratings(found.ratings)),
    el("h3", {}, "By difficulty"),
    tallies(Object.entries(found.by_difficulty), (key) => key, "Difficulty"),
    el("div.columns", {}, [
      people("With this partner", found.with_partner),
      people("Against", found.against),
    ]),
    el("h3", {}, "Bids"),
    bids(found.bids),
  ];
}

const ratio = () => !state.settings.hideRatio;
const share = (part) => (part === null || part === undefined ? "–" : `${Math.round(100 * part)} %`);
const figure = (words, value) => el("div.figure", {}, el("b", {}, String(value)), el("span", {}, words));

function help({ aided, hints, takebacks, moved_for: movedFor }) {
  if (!aided) return "No advice, no takebacks.";
  return `${aided} with help: ${hints} hints, ${takebacks} moves taken back, ${movedFor} moves made for you.`;
}

function leftOut(sentences) {
  const more = sentences.length > 1 ? ` And ${sentences.length - 1} more.` : "";
  return `${sentences[0]}${more}`;
}

function ratings(values) {
  const words = `Rating after each of ${values.length} games, now ${values.at(-1)}`;
  return graph([[0], ...values.map((value) => [value])], ["Rating"], words);
}

// A draw counts as half a win.
function tallies(entries, nameOf, heading) {
  const heads = [heading, "Games", "Won", "Lost", "Drawn", ...(ratio() ? ["Wins"] : [])];
  const rows = entries.map(([key, t]) =>
    el("tr", {}, el("th", { scope: "row" }, nameOf(key)), [
      ...[t.games, t.wins, t.losses, t.draws].map((value) => el("td", {}, String(value))),
      ...(ratio() ? [el("td", {}, share(t.win_rate))] : []),
    ]),
  );
  const head = el("tr", {}, heads.map((words) => el("th", { scope: "col" }, words)));
  return el("div.scroll", { tabindex: 0, role: "group", "aria-label": heading }, [
    el("table.numbers", {}, el("thead", {}, head), el("tbody", {}, rows)),
  ]);
}

function people(heading, tallied) {
  const entries = Object.entries(tallied).sort(([, a], [, b]) => b.games - a.games);
  if (!entries.length) return null;
  const name = (key) => {
    const one = characterOf(key);
    return [el("span.face.tiny", {}, face(one.name)), el("span", {}, one.name), one.stars ? starsOf(one.stars) : null];
  };
  return el("section", {}, el("h3", {}, heading), tallies(entries, name, heading));
}

function bids(found) {
  const of = (part, all) => (all ? `${part} of ${all}` : "–");
  const normal = found.hands - found.nils - found.blind_nils;
  const mean = (value) => (value === null ? "–" : value.toFixed(1));
  const rows = [
    ["Hands", found.hands],
    ["Mean bid", mean(found.mean_bid)],
    ["Tricks away from the bid, on average", mean(found.off)],
    ["Bids met exactly", of(found.exact, normal)],
    ["Bids made by the side", of(found.made, normal)],
    ["Nils kept", of(found.nils_kept, found.nils)],
    ["Blind nils kept", of(found.blind_nils_kept, found.blind_nils)],
    ["Bags of the side per hand", found.hands ? (found.bags / found.hands).toFixed(1) : "–"],
  ];
  const body = rows.map(
    ([words, value]) => el("tr", {}, el("th", { scope: "row" }, words), el("td", {}, String(value))),
  );
  return el("table.numbers.plain-table", {}, el("tbody", {}, body));
}
