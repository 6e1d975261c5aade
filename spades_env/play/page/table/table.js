// The whole table: its parts are built once, and each draws what has changed.

import { drawBubbles } from "./bubbles.js";
import { skipDeal } from "./deal.js";
import { buildHand, drawHand } from "./hand.js";
import { buildPanel, drawPanel } from "./panel.js";
import { el, mark, put } from "../dom.js";
import { focusNext } from "./focus.js";
import { drawScenes } from "./scenes.js";
import { buildSeats, drawSeats } from "./seats.js";
import { buildSides, drawSides } from "./sides.js";
import { buildTrick, drawTrick } from "./trick.js";
import { buildWatching, drawWatching } from "./watching.js";
import { skip } from "../queue.js";
import { hintNow, state } from "../state.js";
import { t } from "../texts.js";

let table, prompt, advice;
let before = null; // the view that was drawn last

// showEnd() opens the dialog about the end of the game.
export function buildTable({ showEnd }) {
  table = document.getElementById("table");
  table.append(el("div.felt"));
  buildSides(table);
  buildSeats(table);
  buildTrick(table);
  buildPanel(table, showEnd);
  prompt = el("span");
  const why = el("span.why", {}, el("strong"), el("span"));
  advice = el("span.advice", { hidden: true }, why, el("b"), el("span"));
  table.append(el("p.prompt", {}, prompt, advice));
  buildHand(table);
  buildWatching(table);
  document.addEventListener("pointerdown", skipDeal);
  table.addEventListener("click", (event) => {
    if (!event.target.closest("button, .panel")) skip();
  });
}

export function drawTable() {
  mark(table, "lively", state.view);
  mark(table, "yours", state.view.your_turn);
  mark(table, "watching", state.view.watching);
  mark(table, "alone", state.view.sides.length > 2);
  put(prompt, state.lifted ? t("tap_again") : promptWords(state.view));
  drawAdvice();
  drawTrick(); // before the hand, so that a card slides from where it was
  drawSides();
  drawSeats();
  drawPanel();
  drawWatching();
  drawHand();
  drawBubbles();
  drawScenes(); // where the bubbles leave space
  state.still = false;
  const last = before;
  before = state.view;
  if (isTakenBack(last, before)) focusTakenBack(last, before);
}

// The leader is told that nobody bids in this hand; tell the others with the first trick.
function promptWords({ prompt: words, phase, seats, tricks, trick }) {
  const begins = phase === "play" && !tricks.length && trick.cards.length > 0;
  return begins && seats[0].contract === "hand" ? `${words} ${t("bids_itself")}` : words;
}

function isTakenBack(last, view) {
  return last?.key === view.key && view.help.takebacks > last.help.takebacks;
}

// Put the focus on the bid that was taken back, unless a button or a dialog has it: it may be pressed again.
function focusTakenBack(last, view) {
  if (document.activeElement?.closest("nav, dialog")) return;
  const sameHand = last.hand_number === view.hand_number;
  focusNext((sameHand && last.seats[0].bid) || undefined);
}

// What is best, the reason for it, the meaning of the figures on cards and bids, and these in words. hint() in moves.js
// has said it already.
function drawAdvice() {
  const hint = hintNow();
  advice.hidden = !hint;
  if (!hint) return;
  put(advice.firstChild.firstChild, hint.best);
  put(advice.firstChild.lastChild, hint.reason ? ` ${hint.reason}` : "");
  put(advice.children[1], `${hint.heading}.`);
  put(advice.lastChild, ` ${hint.words}`);
}
