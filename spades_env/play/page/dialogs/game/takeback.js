// Taking back several moves at once, even across hands.

import { closeDialog, field, numberInput, openDialog } from "../dialog.js";
import { takeBack } from "../../moves.js";
import { button, el } from "../../dom.js";
import { newest } from "../../queue.js";
import { t } from "../../texts.js";

export function openTakeback() {
  const view = newest();
  const most = view.can.takeback;
  const own = view.events.filter((event) => event.seat === view.seat && event.by === "person");
  const here = Math.min(own.length, most);
  const input = numberInput(1, most, Math.max(1, here));
  const go = (moves) => {
    closeDialog();
    document.getElementById("table").focus(); // so that drawTable may move it to what was taken back
    takeBack(moves);
  };
  openDialog("takeback", t("undo"), [
    el("p", {}, t("takeback.words")),
    here > 0 && button(t("takeback.hand", { moves: moves(here) }), () => go(here)),
    most > here && button(t("takeback.all", { moves: moves(most) }), () => go(most)),
    el(
      "div.row",
      {},
      field(t("takeback.number", { most }), input),
      button(t("undo"), () => go(Number(input.value)), "button.strong"),
    ),
  ]);
}

const moves = (count) => t("moves", { count });
