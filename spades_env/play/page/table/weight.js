// The adviser's opinion of an action: a bar with words, on a card or a button, and a frame around the best.

import { el, lasting, mark, put } from "../dom.js";
import { hintNow } from "../state.js";

const LEAST = 0.005; // less gets no bar

export const weightNode = () => el("span.weight", { hidden: true }, el("i"), el("b"));

// node: from weightNode().
export function drawWeight(node, action) {
  const weighed = hintNow()?.weighed[action];
  mark(node.parentElement, "best", weighed?.best);
  node.hidden = !(weighed?.bar >= LEAST);
  if (node.hidden) return;
  lasting(node.firstChild, "--share", weighed.bar);
  put(node.lastChild, weighed.words);
}
