// A button that leads to another table: where other people play at this one, the first press asks.

import { sureButton } from "../dialog.js";
import { button } from "../../dom.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

export function leavingButton(words, act, spec = "button.strong") {
  const { seats, seat: own } = state.view ?? state.lobby ?? { seats: [] };
  const others = seats.filter(({ seat, person, yours }) => person && seat !== own && !yours).map(({ who }) => who);
  if (!others.length) return button(words, act, spec);
  const node = sureButton(words, t("leaving.sure", { who: others.reduce((a, b) => t("and", { a, b })) }), act);
  node.className = spec.split(".").slice(1).join(" ");
  return node;
}
