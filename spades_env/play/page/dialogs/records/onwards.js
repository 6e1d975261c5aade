// Ways to play a reviewed deal again: the person from any seat, or the adviser in all four.

import { ask } from "../../connection.js";
import { field } from "../dialog.js";
import { leavingButton } from "../people/leaving.js";
import { button, el, put, signed } from "../../dom.js";
import { t } from "../../texts.js";

// play(seat) lets the person play it.
export function onwards({ key, hand, seat, seats, sheet }, play) {
  const chosen = el("select", { id: "again-seat" }, seats.map((one) => el("option", {}, one.called)));
  chosen.selectedIndex = seat;
  const compared = el("p.compared");
  return el("section.onwards", {}, [
    el("h3", {}, t("review.same")),
    el("div.row", {}, [
      field(t("review.seat"), chosen),
      leavingButton(t("review.again"), () => play(chosen.selectedIndex)),
    ]),
    el("div.row", {}, button(t("review.adviser"), () => compare(compared, key, hand, sheet))),
    compared,
    el("p.quiet", {}, t("review.not_counted")),
  ]);
}

async function compare(node, key, hand, sheet) {
  put(node, t("review.playing"));
  try {
    const { by, result } = await ask("compare", { key, hand });
    const lines = sheet.map(
      (side) => t("review.compared", {
        side: side.called, points: signed(result.points[side.side]), played: signed(side.points),
      }),
    );
    put(node, t("review.with", { by, lines: lines.join(", ") }));
  } catch (error) {
    put(node, error.message);
  }
}
