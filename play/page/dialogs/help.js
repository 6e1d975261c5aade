// The list of keys, and how cards are played. keys.js has what each key does.

import { openDialog } from "./dialog.js";
import { el } from "../dom.js";

const KEYS = [
  ["← → or J L", "card to card"],
  ["↑ ↓ or I K", "suit to suit"],
  ["S C D H", "jump to spades, clubs, diamonds, hearts"],
  ["U O", "lowest or highest card of the suit"],
  ["Enter", "play the card, press the button"],
  ["Space", "skip a wait; otherwise like Enter"],
  ["0 to 9", "bid, also on the number pad; 0 is nil where nil is played, and must be confirmed"],
  ["Shift 0 to 3", "bid 10 to 13"],
  ["R", "last trick, shown and said while the key is held; after a short press it stays"],
  ["Shift R, ← →", "earlier tricks"],
  ["A", "advice"],
  ["W", "take the rest, when every trick left is certain"],
  ["Z", "take back"],
  ["V", "say bids and tricks"],
  ["P", "scores"],
  ["T", "say whose turn it is, and what lies on the table"],
  ["Escape", "close, put back"],
  ["?", "this list"],
];

export function openHelp() {
  const rows = KEYS.map(([keys, words]) => el("tr", {}, el("th", { scope: "row" }, keys), el("td", {}, words)));
  openDialog("help", "Keys", [
    el("table.keys", {}, el("tbody", {}, rows)),
    el("p", {}, "A card is played by a click, by dragging it onto the table, or by one or two taps: see Settings."),
    el("p", {}, "A click on the table skips any wait."),
  ]);
}
