// A line above the table on the very first visit: it offers the tutorial, takes no focus, and goes for good when it is
// answered or the first card is played.

import { ask } from "../connection.js";
import { button, el } from "../dom.js";
import { openTutorial } from "./learn.js";
import { state } from "../state.js";
import { t } from "../texts.js";

const SETTING = "offered"; // on the server: was the tutorial offered?
let node = null;

export function buildOffer() {
  node = el("section.offer-bar", { "aria-label": t("lessons.menu"), hidden: true }, [
    el("p", {}, t("lessons.offer")),
    el("div.row", {}, [
      button(t("lessons.offer_yes"), () => (close(), openTutorial()), "button.strong"),
      button(t("lessons.offer_no"), close),
    ]),
  ]);
  document.getElementById("actions").before(node);
}

export function drawOffer() {
  const { hello, view } = state;
  if (!node.hidden && view && isPlaying(view)) close();
  else if (hello && view) node.hidden = isNoNewcomer(hello) || Boolean(view.undo) || isPlaying(view);
}

const isNoNewcomer = (hello) => Boolean(hello.settings[SETTING] || hello.last);
const isPlaying = (view) => view.tricks.length > 0 || view.hand_number > 1;

function close() {
  const hadFocus = node.contains(document.activeElement);
  node.hidden = true;
  state.hello.settings[SETTING] = true;
  ask("set", { name: SETTING, value: true }).catch(() => {});
  if (hadFocus) document.getElementById("table").focus();
}
