// The score board: each side's score, tricks and bid, its bags as pips, which turn amber when few are
// left, and what the whole table has bid.

import { arrange, el, give, mark, plainNumber, put } from "../dom.js";
import { state } from "../state.js";
import { t } from "../texts.js";

const MOST_PIPS = 20; // more bags than these are shown as a number
const rows = new Map();
let board, tally;

export function buildSides(table) {
  board = el("section.sides", { "aria-label": t("scores") });
  tally = el("p.bid-sum");
  table.append(board);
}

// "Bid so far: 10 of 13"
export function tallyWords({ bid, of, all }) {
  return t(all ? "bid_in_all" : "bid_so_far", { bid, of });
}

export function drawSides() {
  const { view } = state;
  arrange(board, [...view.sides.map((side) => rowOf(side.side).node), tally]);
  const bidsItself = view.seats[0].contract === "hand" && view.phase !== "over";
  put(tally, bidsItself ? t("bids_itself") : view.bid_so_far?.all ? tallyWords(view.bid_so_far) : "");
  view.sides.forEach((side, i) => drawSide(rowOf(side.side), side, i === 0));
}

// The row of a side, made when it is first asked for.
export function rowOf(side) {
  if (!rows.has(side)) {
    const row = {
      name: el("span.name"),
      score: el("b.score"),
      status: el("span.status"),
      bags: el("span.bags", { role: "img" }),
    };
    row.node = el("div.side", {}, row.name, row.score, row.status, row.bags);
    rows.set(side, row);
  }
  return rows.get(side);
}

function drawSide(row, side, own) {
  mark(row.node, "own", own);
  mark(row.node, "many", side.seats.length > 1);
  put(row.name, side.called);
  put(row.score, plainNumber(side.score));
  put(row.status, statusOf(side));
  drawBags(row.bags, side);
}

// "bid 7" before the first trick is over, since "0 / 7" reads as a score, and no tricks without a bid; the server's
// "nil" in the page's language.
function statusOf({ status }) {
  if (status.includes("…") || (status === "0" && !state.view.tricks.length)) return "–";
  const words = status.replaceAll("blind nil", t("plate.blind_nil")).replace(/\bnil\b/g, t("plate.nil"));
  if (state.view.tricks.length) return words;
  return words.replace(/^0 \/ (\d+ ×2)/, "$1").replace(/^0 \/ (\d+)/, (_, bid) => t("plate.bid", { bid }));
}

function drawBags(node, { bags, bag_limit: limit, few_bags_left: few }) {
  node.hidden = bags === null;
  if (bags === null) return;
  mark(node, "few", few);
  give(node, "aria-label", t("bags_of", { bags, count: limit }));
  give(node, "title", t("bags_of", { bags, count: limit }));
  if (limit > MOST_PIPS) put(node, `${bags}/${limit}`);
  else if (node.children.length !== limit) node.replaceChildren(...Array.from({ length: limit }, () => el("i")));
  [...node.children].forEach((dot, i) => mark(dot, "full", i < bags));
}
