// Offers sound once, after the first trick of the first game: a small card at the rim that takes no focus. Ignoring it
// for a whole hand counts as no.

import { button, el } from "../dom.js";
import { set } from "../settings.js";
import { play } from "../sound.js";
import { state } from "../state.js";
import { t } from "../texts.js";

let offer = null;
let since = null; // the hand in which it was offered

export function buildSoundOffer() {
  offer = el("section.sound-offer", { "aria-label": t("sound.offer"), hidden: true }, [
    el("p", {}, t("sound.offer")),
    el("div.row", {}, [
      button(t("sound.yes"), () => choose(true), "button.strong"),
      button(t("sound.no"), () => choose(false)),
    ]),
  ]);
  document.getElementById("actions").before(offer);
}

export function drawSoundOffer() {
  const { view, settings } = state;
  const hand = view && `${view.key} ${view.hand_number}`;
  if (since && hand && hand !== since && !settings.soundOffered) set("sound", settings.sound);
  const wanted = !state.settings.soundOffered && Boolean(view?.tricks.length) && !view.outcome;
  if (wanted) since = hand;
  if (!wanted && offer.contains(document.activeElement)) document.getElementById("table").focus();
  offer.hidden = !wanted;
}

// Choose, and play a sound to show what it is like.
export function choose(on) {
  set("sound", on);
  play("turn");
}
