// Playing cards as pictures, 70 by 98: a big index, and one big pip or a court figure.
//
//     ╭───────╮
//     │ 10    │      The left edge, which stays visible in a fan, shows rank and suit.
//     │ ♥     │      Colours come from the deck chosen in the settings: each card has the class of its suit.
//     │   ♥♥  │
//     ╰───────╯

import { court, jester } from "./courts.js";
import { el, picture, svg } from "../dom.js";
import { pip } from "./pips.js";
import { t } from "../texts.js";

const RANKS = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };
const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const JOKERS = ["RJ", "BJ"];
const drawn = new Map(); // pictures to copy

// "queen of hearts"
export function cardWords(card) {
  if (JOKERS.includes(card)) return t(`card.${card}`);
  return t("card", { rank: t(`rank.${card[0]}`), suit: t(`suit.${card[1]}`) });
}

// "Q♥"
export function cardText(card) {
  return JOKERS.includes(card) ? card : (RANKS[card[0]] ?? card[0]) + SYMBOLS[card[1]];
}

// "A♠", "3", "0 (nil)", "blind nil", "look": an action as a list shows it.
export function actionText(action) {
  if (action.startsWith("bid:")) return action.slice(4) === "0" ? t("action.bid0") : action.slice(4);
  return ["blind", "look"].includes(action) ? t(`action.${action}`) : cardText(action);
}

// The letter of the colour a card has.
export const colourOf = (card) => (card === "RJ" ? "H" : card === "BJ" ? "S" : card[1]);

// A card's face; trumps: all cards that count as spades.
export function cardFace(card, trumps = []) {
  const strange = trumps.includes(card) && card[1] !== "S";
  const key = card + (strange ? "!" : "");
  if (!drawn.has(key)) drawn.set(key, draw(card, strange));
  return drawn.get(key).cloneNode(true);
}

// A card face up, with its name for screen readers.
export function openCard(card, trumps) {
  return el(`span.card.suit-${colourOf(card)}`, { role: "img", "aria-label": cardWords(card) }, cardFace(card, trumps));
}

export function cardBack() {
  return el("span.card.back", {}, picture(70, 98, ...lattice()));
}

function draw(card, strange) {
  const joker = JOKERS.includes(card);
  const rank = joker ? "★" : (RANKS[card[0]] ?? card[0]);
  const index = svg("text", { x: 14.5, y: 25, class: `index${rank === "10" ? " wide" : ""}`, "text-anchor": "middle" });
  index.textContent = rank;
  const parts = [svg("rect", { x: 0.5, y: 0.5, width: 69, height: 97, rx: 6, class: "paper" }), index];
  parts.push(joker ? null : pip(card[1], 14.5, 40, 18));
  if (strange) parts.push(pip("S", 14.5, joker ? 40 : 58, joker ? 18 : 12, { class: "trump" }));
  if (joker) parts.push(jester());
  else if ("JQK".includes(card[0])) parts.push(court(card[0], card[1]));
  else parts.push(pip(card[1], 44, 67, card[0] === "A" ? 48 : 40));
  return picture(70, 98, ...parts);
}

function lattice() {
  const lines = [];
  for (let i = -98; i < 70; i += 10) {
    lines.push(`M${i} 0l98 98M${i + 98} 0l-98 98`);
  }
  return [
    svg("rect", { x: 0.5, y: 0.5, width: 69, height: 97, rx: 6, class: "paper" }),
    svg("svg", { x: 5, y: 5, width: 60, height: 88, viewBox: "5 5 60 88" }, [
      svg("rect", { x: 5, y: 5, width: 60, height: 88, rx: 3, class: "weave" }),
      svg("path", { d: lines.join(""), class: "threads" }),
    ]),
  ];
}
