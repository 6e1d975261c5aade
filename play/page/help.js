// What the keys do, and how cards are played.

import { openDialog } from "./dialog.js";
import { el } from "./dom.js";
import { KEYS } from "./keys.js";

export function openHelp() {
  const rows = KEYS.map(([keys, words]) => el("tr", {}, el("th", { scope: "row" }, keys), el("td", {}, words)));
  openDialog("help", "Keys", [
    el("table.keys", {}, el("tbody", {}, rows)),
    el("p", {}, "A card is played by a click, by dragging it onto the table, or by one or two taps: see Settings."),
    el("p", {}, "A click on the table skips any wait."),
  ]);
}
