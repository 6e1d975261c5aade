// The course of a hand: the person's chance to win before and after each decision, with the faults marked. It lies
// under a slider, so a click, a drag or an arrow key goes to a move.
//
//     ──╮  ╭───╮                 60%
//       ?──╯   ??──              20%

import { el, give, lasting, picture, put, svg } from "../../dom.js";
import { gradeMark, isFault } from "./grades.js";
import { percent, t } from "../../texts.js";

export function buildCourse(slider) {
  return el("figure.course", {}, el("div.plot"), slider, el("figcaption.quiet"));
}

export function drawCourse(node, { grades, steps, at }) {
  const [plot, , caption] = node.children;
  const found = (grades?.found ?? []).filter((one) => one.lost);
  const last = Math.max(1, steps.length - 1);
  if (plot.dataset.count !== `${found.length}`) {
    plot.dataset.count = found.length;
    plot.replaceChildren(el("b.here"), ...lineOf(found, last));
  }
  lasting(plot.firstChild, "left", place(at, last));
  const chance = chanceAt(found, at);
  put(caption, chance === null ? "" : `${t("hint.chance")}: ${percent(chance)}`);
}

// The chance after the last decision up to a step, or before the first one; null while none is known.
function chanceAt(found, at) {
  const one = found.findLast(({ number }) => number <= at);
  return one ? after(one) : found.length ? before(found[0]) : null;
}

const before = (one) => one.tried[0].chance;
const after = (one) => before(one) - one.lost.chance;
const place = (part, all) => `${(100 * part) / all}%`;

function lineOf(found, last) {
  if (!found.length) return [];
  const chances = found.flatMap((one) => [before(one), after(one)]);
  const low = Math.min(0.8, Math.floor(10 * Math.min(...chances)) / 10);
  const high = Math.max(low + 0.2, Math.ceil(10 * Math.max(...chances)) / 10);
  const down = (chance) => (100 * (high - chance)) / (high - low);
  const points = chances.map((chance, i) => `${(100 * found[i >> 1].number) / last},${down(chance)}`).join(" ");
  const line = picture(100, 100, svg("polyline", { points, class: "line line-0" }));
  give(line, "preserveAspectRatio", "none");
  const marks = found.filter(isFault).map((one) => {
    const sign = el(`span.is-${one.grade}`, {}, gradeMark(one.grade));
    lasting(sign, "left", place(one.number, last));
    lasting(sign, "top", `${down(after(one))}%`);
    return sign;
  });
  const ends = [high, low].map((chance) => el("small", { "aria-hidden": "true" }, percent(chance)));
  return [line, ...ends, ...marks];
}
