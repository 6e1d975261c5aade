// The list of keys, and how cards are played. What a key does stands in keys.js.

import { openDialog } from "./dialog.js";
import { el } from "../dom.js";

const KEYS = [
  ["← → or J L", "card to card"],
  ["↑ ↓ or I K", "suit to suit"],
  ["S C D H", "jump to spades, clubs, diamonds, hearts"],
  ["U O", "lowest or highest card of the suit"],
  ["Enter", "play the card, press the button"],
  ["Space", "skip a wait; else as Enter"],
  ["0 to 9", "bid, also on the number pad; 0 is nil where nil is played, and asks back"],
  ["Shift 0 to 3", "bid 10 to 13"],
  ["R", "last trick, shown and said, for as long as it is held; shortly pressed, it stays"],
  ["Shift R, ← →", "earlier tricks"],
  ["A", "advice"],
  ["W", "take the rest, when every trick left is certain"],
  ["Z", "take back"],
  ["V", "bids and tricks, said"],
  ["P", "scores"],
  ["T", "whose turn, and what lies on the table, said"],
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
