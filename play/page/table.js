// The table as a whole: its parts are built once, and each draws what changed in it.

import { buildHand, drawHand } from "./hand.js";
import { buildPanel, drawPanel } from "./panel.js";
import { el, mark, put } from "./dom.js";
import { buildSeats, drawSeats } from "./seats.js";
import { buildSides, drawSides } from "./sides.js";
import { buildTrick, drawTrick } from "./trick.js";
import { skip } from "./queue.js";
import { state } from "./state.js";

let table, prompt;

export function buildTable() {
  table = document.getElementById("table");
  buildSides(table);
  buildSeats(table);
  buildTrick(table);
  buildPanel(table);
  prompt = el("p.prompt");
  table.append(prompt);
  buildHand(table);
  table.addEventListener("click", (event) => {
    if (!event.target.closest("button, .panel")) skip();
  });
}

export function drawTable() {
  mark(table, "lively", state.view);
  mark(table, "yours", state.view.your_turn);
  mark(table, "alone", state.view.sides.length > 2);
  put(prompt, state.view.prompt);
  drawTrick(); // before the hand, so that a card flies from where it was
  drawSides();
  drawSeats();
  drawPanel();
  drawHand();
  state.still = false;
}
