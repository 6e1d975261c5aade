// The list of keys, and how cards are played. keys.js has what each key does.

import { openDialog } from "./dialog.js";
import { el } from "../dom.js";
import { t } from "../texts.js";

const KEYS = [
  "cards", "suits", "jump", "ends", "enter", "space", "bid", "high", "last", "earlier", "hint", "rest", "undo",
  "say_bids", "say", "scores", "turn", "sound", "escape", "this",
];

export function openHelp() {
  const rows = KEYS.map((key) =>
    el("tr", {}, el("th", { scope: "row" }, t(`help.${key}.keys`)), el("td", {}, t(`help.${key}`))),
  );
  openDialog("help", t("help.title"), [
    el("table.keys", {}, el("tbody", {}, rows)),
    el("p", {}, t("help.how")),
    el("p", {}, t("help.skip")),
  ]);
}
