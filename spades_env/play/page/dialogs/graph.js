// Line graphs over hands or games: scores, ratings. The first line is thick and solid, the others are dashed.

import { el, picture, plainNumber, svg } from "../dom.js";

const WIDTH = 560;
const HEIGHT = 200;
const EDGE = { left: 44, right: 12, top: 12, bottom: 22 };
const DASHES = ["", "6 4", "2 4", "8 3 2 3"];

// rows: [[a, b], …], a value for each line; names: those of the lines; words: for screen readers.
export function graph(rows, names, words) {
  const values = rows.flat();
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const x = (i) => EDGE.left + (i * (WIDTH - EDGE.left - EDGE.right)) / Math.max(1, rows.length - 1);
  const y = (value) => HEIGHT - EDGE.bottom - ((value - low) * (HEIGHT - EDGE.top - EDGE.bottom)) / (high - low);
  const lines = names.map((_, line) => {
    const points = rows.map((row, i) => `${x(i).toFixed(1)},${y(row[line]).toFixed(1)}`).join(" ");
    return svg("polyline", { points, class: `line line-${line}`, "stroke-dasharray": DASHES[line % DASHES.length] });
  });
  const node = picture(WIDTH, HEIGHT, ...grid(low, high, y), ...lines);
  node.setAttribute("class", "graph");
  return el("figure.graph-box", { role: "img", "aria-label": words }, node, names.length > 1 ? legend(names) : null);
}

function grid(low, high, y) {
  const step = niceStep((high - low) / 4);
  const parts = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    const text = svg("text", { x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" });
    text.textContent = plainNumber(value);
    const kind = value === 0 ? "zero" : "rule";
    parts.push(svg("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value), class: kind }), text);
  }
  return parts;
}

// 1, 2 or 5 times a power of ten.
function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
}

function legend(names) {
  const entry = (name, i) => {
    const line = svg(
      "line",
      { x1: 0, x2: 28, y1: 5, y2: 5, class: `line line-${i}`, "stroke-dasharray": DASHES[i % 4] },
    );
    const sample = picture(28, 10, line);
    return el("span", {}, sample, name);
  };
  return el("figcaption", {}, names.map(entry));
}
