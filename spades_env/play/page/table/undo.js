// Undo among people: a bar asks those who must agree, and tells the person who asked whose answers are missing.
// It stands beside the table and does not take the focus, since a move is still possible and ends the request.

import { ask } from "../connection.js";
import { arrange, button, el, put } from "../dom.js";
import { newest } from "../queue.js";
import { attempt, say } from "../speech.js";
import { state } from "../state.js";
import { t } from "../texts.js";

const parts = {};
let announced = null; // the number of the last request announced

export function buildUndo() {
  parts.words = el("p", { id: "undo-words" });
  parts.allow = button(t("undo.allow"), () => answer(true), "button.strong");
  parts.decline = button(t("undo.decline"), () => answer(false));
  parts.cancel = button(t("undo.cancel"), () => answer(false));
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
    if (undo.number !== announced) say(`${parts.words.textContent}${undo.asked ? ` ${t("undo.choose")}` : ""}`);
  }
  announced = undo?.number ?? null;
  if (hadFocus && !parts.node.contains(document.activeElement)) document.getElementById("table").focus();
}

const nameOf = (view, seat) => view.seats.find((one) => one.seat === seat).who;
const moves = (count) => t("moves", { count });

function askingWords(view) {
  const { seat, moves: count, asked } = view.undo;
  const words = t("undo.wants", { who: nameOf(view, seat), moves: moves(count) });
  return asked ? words : t("undo.agreed", { words });
}

function waitingWords(view) {
  const { seat, moves: count, agreed } = view.undo;
  const others = view.seats.filter((one) => one.person && !one.away && one.seat !== seat);
  const missing = others.filter((one) => !agreed.includes(one.seat));
  const names = missing.map((one) => one.who).reduce((a, b) => (a ? t("and", { a, b }) : b), "") || t("undo.others");
  return t("undo.waiting", { moves: moves(count), who: names });
}

function answer(allow) {
  const undo = newest()?.undo;
  if (undo) attempt(() => ask("answer_undo", { number: undo.number, allow }));
}
