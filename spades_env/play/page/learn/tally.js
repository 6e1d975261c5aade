// The results of a drill: how many hands, the average error, the latest as bars.
//
//     ▁ ▃ · ▁ █      above the line: too high, below it: too low; a dot: right

import { el, put, signed, svg } from "../dom.js";
import { decimal, percent, t } from "../texts.js";

const STEP = 12; // from bar to bar
const HEIGHT = 36;
const MOST_SHOWN = { bid: 4, nil: 0.1 }; // a larger error has the longest bar

export function drawTally(node, kind, tally) {
  if (!tally.hands) {
    node.replaceChildren(el("p.quiet", {}, t("lessons.none")));
    return;
  }
  const error = decimal(kind === "nil" ? 100 * tally.average : tally.average);
  const words = el("p.quiet");
  const average = t(`lessons.${kind}.average`, { error });
  put(words, t("lessons.tally", { hands: t("hands", { count: tally.hands }), average }));
  node.replaceChildren(words, bars(kind, tally));
}

function bars(kind, { last, most }) {
  const shown = last.map((error) => (kind === "nil" ? percent(-error, 1) : signed(error)));
  const picture = svg("svg", {
    viewBox: `0 0 ${STEP * most} ${HEIGHT}`, class: "tally-bars", role: "img",
    "aria-label": t("lessons.last", { results: shown.join("; ") }),
  }, svg("path", { d: `M0 ${HEIGHT / 2}H${STEP * most}`, class: "rule" }));
  last.forEach((error, i) => picture.append(bar(kind, kind === "nil" ? -error : error, i)));
  return picture;
}

function bar(kind, error, i) {
  const x = STEP * i + STEP / 2;
  if (!error) return svg("circle", { cx: x, cy: HEIGHT / 2, r: 3.5, class: "right" });
  const length = Math.max(4, (HEIGHT / 2 - 1) * Math.min(1, Math.abs(error) / MOST_SHOWN[kind]));
  const y = error > 0 ? HEIGHT / 2 - length : HEIGHT / 2;
  return svg("rect", { x: x - 3.5, y, width: 7, height: length, rx: 1.5, class: error > 0 ? "above" : "below" });
}
