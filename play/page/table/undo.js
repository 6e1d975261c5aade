// Undo among people: a bar asks those who must agree, and tells the person who asked whose answers are missing.
// It stands beside the table and does not take the focus, since a move is still possible and ends the request.

import { ask } from "../connection.js";
import { arrange, button, el, put } from "../dom.js";
import { newest } from "../queue.js";
import { notice, say } from "../speech.js";
import { state } from "../state.js";

const parts = {};
let announced = null; // the number of the last request announced

export function buildUndo() {
  parts.words = el("p", { id: "undo-words" });
  parts.allow = button("Allow", () => answer(true), "button.strong");
  parts.decline = button("Decline", () => answer(false));
  parts.cancel = button("Cancel", () => answer(false));
  parts.row = el("div.row");
  parts.node = el("section.undo-bar", { "aria-labelledby": "undo-words", hidden: true }, parts.words, parts.row);
  document.getElementById("actions").before(parts.node);
}

// Draws the request of the newest view, even while earlier moves are still shown.
export function drawUndo() {
  const view = state.view && newest();
  const undo = view?.undo;
  const hadFocus = parts.node.contains(document.activeElement);
  parts.node.hidden = !undo;
  if (undo) {
    const own = undo.seat === view.seat;
    put(parts.words, own ? waitingWords(view) : askingWords(view));
    arrange(parts.row, own ? [parts.cancel] : undo.asked ? [parts.allow, parts.decline] : []);
    if (undo.number !== announced) say(`${parts.words.textContent}${undo.asked ? " Allow or decline." : ""}`);
  }
  announced = undo?.number ?? null;
  if (hadFocus && !parts.node.contains(document.activeElement)) document.getElementById("table").focus();
}

const nameOf = (view, seat) => view.seats.find((one) => one.seat === seat).who;
const moves = (count) => `${count} move${count > 1 ? "s" : ""}`;

function askingWords(view) {
  const { seat, moves: count, asked } = view.undo;
  const words = `${nameOf(view, seat)} wants to undo ${moves(count)}.`;
  return asked ? words : `${words} You've agreed.`;
}

function waitingWords(view) {
  const { seat, moves: count, agreed } = view.undo;
  const others = view.seats.filter((one) => one.person && !one.away && one.seat !== seat);
  const missing = others.filter((one) => !agreed.includes(one.seat));
  const names = missing.map((one) => one.who).join(" and ") || "the others";
  return `You want to undo ${moves(count)}. Waiting for ${names}.`;
}

function answer(allow) {
  const undo = newest()?.undo;
  if (undo) ask("answer_undo", { number: undo.number, allow }).catch((error) => notice(error.message));
}
