// The score sheet: the points of each side in every hand, with the server's reasons.

import { openDialog } from "../dialog.js";
import { el, plainNumber, signed, table, tableRow } from "../../dom.js";
import { graph } from "../graph.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

export function openScores() {
  const { view } = state;
  if (view) openDialog("scores", t("scores"), sheetOf(view), { spec: "wide" });
}

function sheetOf(view) {
  const { sheet, sides } = view;
  const order = sides.map((side) => side.side);
  const names = sides.map((side) => side.called);
  const now = tableRow([t("scores.now"), ...sides.map(totalOf)], "tr.total");
  const rows = [...sheet].reverse().map((hand) => rowOf(hand, order));
  return [
    sheet.length ? scoreGraph(view) : el("p", {}, t("scores.none")),
    el("div.scroll", { tabindex: 0, role: "group", "aria-label": t("scores.sheet") }, [
      table("sheet", ["", ...names], [now, ...rows]),
    ]),
    endWords(view),
  ];
}

// A line for each side, the person's first.
export function scoreGraph({ graph: scores, sides }) {
  const rows = scores.map((row) => sides.map((side) => row[side.side]));
  const names = sides.map((side) => side.called);
  return graph(rows, names, graphWords(names, rows));
}

function totalOf(side) {
  const words = t("bags_of", { bags: side.bags, count: side.bag_limit });
  const bags = side.bags === null ? null : el("span.quiet", {}, ` ${words}`);
  return [el("b", {}, plainNumber(side.score)), bags];
}

function rowOf(hand, order) {
  const cells = order.map((side) => hand.sides.find((one) => one.side === side)).map((side) => [
    el("b", {}, signed(side.points)),
    el("span.after", {}, `→ ${plainNumber(side.score)}`),
    el("ul.why", {}, side.items.map((item) => el("li", {}, item.words))),
  ]);
  return [t("hand", { hand: hand.hand_number }), ...cells];
}

function endWords(view) {
  const words = view.rules.words[3];
  return words ? el("p.quiet", {}, words) : null;
}

function graphWords(names, rows) {
  const now = names.map((name, i) => `${name} ${plainNumber(rows.at(-1)[i])}`);
  return t("scores.graph", { hands: t("hands", { count: rows.length - 1 }), scores: now.join(", ") });
}
