// The quick phrases: one press says one to everybody at the table, in the language of each.

import { ask } from "../../connection.js";
import { closeDialog, openDialog } from "../dialog.js";
import { button, el } from "../../dom.js";
import { attempt } from "../../speech.js";
import { state } from "../../state.js";
import { maySpeak } from "../../table/bubbles.js";
import { t } from "../../texts.js";

export function openPhrases() {
  const { hello, settings, view } = state;
  if (!maySpeak(view)) return;
  const items = hello.phrases.map(({ phrase, words }) => el("li", {}, button(words, () => send(phrase))));
  openDialog("menu", t("say.title"), [
    !settings.phrases && el("p.quiet", {}, t("say.muted")),
    el("ul", {}, items),
  ].filter(Boolean));
}

function send(phrase) {
  closeDialog();
  attempt(() => ask("say", { phrase }));
}
