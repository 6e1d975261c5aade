// The list of keys, and how cards are played. keys.js has what each key does.

import { openDialog } from "./dialog.js";
import { el, table } from "../dom.js";
import { t } from "../texts.js";

const KEYS = [
  "cards", "suits", "jump", "ends", "enter", "space", "bid", "high", "last", "earlier", "hint", "rest", "undo",
  "say_bids", "say", "scores", "turn", "sound", "review", "escape", "this",
];

export function openHelp() {
  openDialog("help", t("help.title"), [
    table("keys", [], KEYS.map((key) => [t(`help.${key}.keys`), t(`help.${key}`)])),
    el("p", {}, t("help.how")),
    el("p", {}, t("help.skip")),
  ]);
}
