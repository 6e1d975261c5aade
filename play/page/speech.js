// One polite line for every event, for screen readers; and short notices for everybody.

import { el, put } from "./dom.js";

const LINES = 12; // kept for readers that look back
const STAYS = 4000; // milliseconds a notice is seen
let timer = null;
let told = null; // what has been said of: {key, hand, events, tricks, prompt}

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

// What happened between the view that was told last and this one, a line for each event.
export function tell(view) {
  const now = { key: view.key, hand: view.hand_number, events: view.events.length, tricks: view.tricks.length };
  const same = told && told.key === now.key && told.hand === now.hand && now.events >= told.events;
  if (told?.key === now.key && told.hand < now.hand) view.sheet.at(-1)?.sides.forEach(tellSide);
  view.events.slice(same ? told.events : view.events.length).forEach((event) => say(`${event.words}.`));
  view.tricks.slice(same ? told.tricks : view.tricks.length).forEach((trick) => tellTrick(view, trick));
  if (view.prompt !== told?.prompt && (view.your_turn || view.outcome)) say(view.prompt);
  told = { ...now, prompt: view.prompt };
}

function tellTrick(view, trick) {
  const winner = view.seats.find((one) => one.seat === trick.winning);
  say(`${winner.name} wins the trick.`);
}

function tellSide(side) {
  say(`${side.name}: ${side.words}. ${side.score} points.`);
}
