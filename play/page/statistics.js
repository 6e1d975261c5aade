// The person's record: per difficulty, with and against every character, bids, the rating over all games.

import { ask } from "./connection.js";
import { openDialog, refill, tickbox } from "./dialog.js";
import { el } from "./dom.js";
import { face } from "./faces.js";
import { graph } from "./graph.js";
import { characterOf, starsOf } from "./players.js";
import { notice } from "./speech.js";
import { state } from "./state.js";

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

function page(told) {
  const filter = tickbox("Only games without advice, takebacks, or moves made for me", unaided, (on) => {
    unaided = on;
    show();
  });
  const lost = told.left_out.length > 0 && el("p.quiet", {}, leftOut(told.left_out));
  if (!told.total.games) return [
    filter,
    lost,
    el("p", {}, "No game is finished yet. Games that were given up do not count."),
  ];
  return [
    el("div.figures", {}, [
      figure("Games", told.total.games),
      figure("Won", told.total.wins),
      figure("Lost", told.total.losses),
      figure("Drawn", told.total.draws),
      ratio() && figure("Wins", share(told.total.win_rate)),
      figure("Rating", told.rating),
    ]),
    el("p.quiet", {}, help(told)),
    lost,
    filter,
    told.ratings.length > 1 && el("section", {}, el("h3", {}, "Rating"), ratings(told.ratings)),
    el("h3", {}, "By difficulty"),
    tallies(Object.entries(told.by_difficulty), (key) => key, "Difficulty"),
    el("div.columns", {}, [
      people("With this partner", told.with_partner),
      people("Against", told.against),
    ]),
    el("h3", {}, "Bids"),
    bids(told.bids),
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

// A draw is half a win.
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

function people(heading, told) {
  const entries = Object.entries(told).sort(([, a], [, b]) => b.games - a.games);
  if (!entries.length) return null;
  const name = (key) => {
    const one = characterOf(key);
    return [el("span.face.tiny", {}, face(one.name)), el("span", {}, one.name), one.stars ? starsOf(one.stars) : null];
  };
  return el("section", {}, el("h3", {}, heading), tallies(entries, name, heading));
}

function bids(told) {
  const of = (part, all) => (all ? `${part} of ${all}` : "–");
  const normal = told.hands - told.nils - told.blind_nils;
  const mean = (value) => (value === null ? "–" : value.toFixed(1));
  const rows = [
    ["Hands", told.hands],
    ["Mean bid", mean(told.mean_bid)],
    ["Tricks away from the bid, on average", mean(told.off)],
    ["Bids met to the trick", of(told.exact, normal)],
    ["Bids made by the side", of(told.made, normal)],
    ["Nils kept", of(told.nils_kept, told.nils)],
    ["Blind nils kept", of(told.blind_nils_kept, told.blind_nils)],
    ["Bags of the side, a hand", told.hands ? (told.bags / told.hands).toFixed(1) : "–"],
  ];
  const body = rows.map(
    ([words, value]) => el("tr", {}, el("th", { scope: "row" }, words), el("td", {}, String(value))),
  );
  return el("table.numbers.plain-table", {}, el("tbody", {}, body));
}
