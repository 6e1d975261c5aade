// Lines for screen readers, in a polite region; and short notices for everybody.

import { el, put } from "./dom.js";

const LINES = 20; // kept for readers that look back
const STAYS = 4000; // milliseconds a notice is seen
let timer = null;

// For screen readers only.
export function say(words) {
  const region = document.getElementById("speech");
  region.append(el("p", {}, words));
  while (region.children.length > LINES) region.firstChild.remove();
}

// Seen and heard, gone after a while.
export function notice(words) {
  const node = document.getElementById("notice");
  put(node, words);
  node.classList.add("seen");
  clearTimeout(timer);
  timer = setTimeout(() => node.classList.remove("seen"), STAYS + 40 * words.length);
  say(words);
}
