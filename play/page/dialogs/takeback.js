// Taking back several moves at once, even across hands.

import { closeDialog, field, openDialog } from "./dialog.js";
import { takeBack } from "../moves.js";
import { button, el } from "../dom.js";
import { newest } from "../queue.js";

export function openTakeback() {
  const view = newest();
  const most = view.can.takeback;
  const own = view.events.filter((event) => event.seat === view.seat && event.by === "person");
  const here = Math.min(own.length, most);
  const input = el("input", { type: "number", min: 1, max: most, value: Math.max(1, here) });
  const go = (moves) => {
    closeDialog();
    document.getElementById("table").focus(); // so that drawTable may move it to what was taken back
    takeBack(moves);
  };
  openDialog("takeback", "Take back", [
    el(
      "p",
      {},
      "The cards stay as they are. What came after the moves is played again. Statistics count takebacks.",
    ),
    here > 0 && button(`This hand from the start: ${moves(here)}`, () => go(here)),
    most > here && button(`As far as possible: ${moves(most)}`, () => go(most)),
    el(
      "div.row",
      {},
      field(`Moves, 1 to ${most}`, input),
      button("Take back", () => go(Number(input.value)), "button.strong"),
    ),
  ]);
}

const moves = (count) => `${count} move${count > 1 ? "s" : ""}`;
