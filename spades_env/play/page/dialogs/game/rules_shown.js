// The rules of the table, in the server's words.

import { openCard } from "../../art/cards.js";
import { openDialog } from "../dialog.js";
import { el } from "../../dom.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

export function openRules() {
  const { rules } = state.view;
  openDialog("rules", t("menu.rules"), [
    el("ul.plain", {}, rules.words.map((words) => el("li", {}, words))),
    el("h3", {}, t("form.trumps")),
    trumps(rules.trumps),
    el("p.quiet", {}, rules.text),
  ]);
}

export function trumps(cards) {
  return el("div.small-cards", {}, cards.map((card) => openCard(card, cards)));
}
