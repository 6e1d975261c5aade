// Another game of the same people: the host says who sits where, and everybody's page follows.

import { ask } from "../../connection.js";
import { choice, closeDialog, openDialog } from "../dialog.js";
import { button, el } from "../../dom.js";
import { focusNext } from "../../table/focus.js";
import { attempt } from "../../speech.js";
import { t } from "../../texts.js";

const SEATS = [0, 1, 2, 3];

// The ways to sit, by name: {words, order}; order: whose old seat each seat gets.
function ways(view) {
  const [own, left, across, right] = view.seats.map((one) => one.seat);
  const swapped = (a, b) => SEATS.map((seat) => (seat === a ? b : seat === b ? a : seat));
  const partner = (seat) => t("rematch.partner", { who: view.seats.find((one) => one.seat === seat).called });
  const hasPartners = view.sides.length === 2;
  const kept = (key) => (hasPartners ? `${t(key)}: ${partner(across)}` : t(key));
  const found = {
    same: { words: kept("rematch.same"), order: SEATS },
    rotate: { words: kept("rematch.rotate"), order: SEATS.map((seat) => (seat + 3) % 4) },
  };
  if (!hasPartners) return found;
  return {
    ...found,
    left: { words: partner(left), order: swapped(left, across) },
    right: { words: partner(right), order: swapped(right, across) },
  };
}

export function openRematch(view) {
  const offered = ways(view);
  let chosen = "same";
  const words = Object.fromEntries(Object.entries(offered).map(([name, way]) => [name, way.words]));
  openDialog("rematch", t("rematch.title"), [
    el("p", {}, t("rematch.words")),
    choice("rematch", t("lobby.seats"), words, chosen, (name) => { chosen = name; }),
    el("div.row", {}, button(t("rematch.start"), () => start(offered[chosen].order), "button.strong")),
  ]);
}

const start = (order) => attempt(async () => {
  await ask("rematch", { order });
  closeDialog();
  focusNext();
});
