// Playing cards as pictures, 70 by 98, in two styles: "large" has a big index and one big pip or a court figure,
// "classic" as many pips as the rank says (classic.js).
//
//     ╭───────╮
//     │ 10    │      The left edge, which stays visible in a fan, shows rank and suit.
//     │ ♥     │      Colours come from the deck chosen in the settings: each card has the class of its suit.
//     │   ♥♥  │
//     ╰───────╯

import { classicFace } from "./classic.js";
import { court, jester } from "./courts.js";
import { el, give, mark, picture, svg } from "../dom.js";
import { pip } from "./pips.js";
import { state } from "../state.js";
import { t } from "../texts.js";

const RANKS = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };
export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };
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

// "A♠", "3", "0 (nil)", "blind 7", "blind nil", "look": an action as a list shows it; nil: is a bid of 0 a nil here?
// blind: is it bid before the look?
export function actionText(action, nil, blind) {
  if (action.startsWith("bid:") && blind) return t("plate.blind_bid", { bid: action.slice(4) });
  if (action.startsWith("bid:")) return nil && action === "bid:0" ? t("action.bid0") : action.slice(4);
  return ["blind", "look"].includes(action) ? t(`action.${action}`) : cardText(action);
}

// The letter of the colour a card has.
export const colourOf = (card) => (card === "RJ" ? "H" : card === "BJ" ? "S" : card[1]);

// A card's face in the style of the settings; trumps: all cards that count as spades.
export function cardFace(card, trumps = []) {
  const strange = trumps.includes(card) && card[1] !== "S";
  const style = state.settings.faces;
  const key = card + style + (strange ? "!" : "");
  if (!drawn.has(key)) drawn.set(key, draw(card, strange, style === "classic"));
  return drawn.get(key).cloneNode(true);
}

// A card face up, with its name for screen readers.
export function openCard(card, trumps) {
  return el(`span.card.suit-${colourOf(card)}`, { role: "img", "aria-label": cardWords(card) }, cardFace(card, trumps));
}

// Show whether a card of the hand may be played now, and say so to screen readers. Takes a view or a scene.
export function markPlayable(node, card, { legal, refused }) {
  const why = refused[card];
  const name = cardWords(card);
  mark(node, "dim", why);
  mark(node, "legal", legal.includes(card));
  give(node, "aria-disabled", why ? "true" : null);
  const key = legal.includes(card) ? "card.playable" : why && "card.refused";
  give(node, "aria-label", key ? t(key, { card: name, why }) : name);
}

// The style sheet has the pattern.
export const cardBack = () => el("span.card.back");

function draw(card, strange, classic) {
  const suit = JOKERS.includes(card) ? null : card[1];
  const parts = [svg("rect", { x: 0.5, y: 0.5, width: 69, height: 97, rx: 6, class: "paper" })];
  const index = corner(card, suit, strange, classic ? { x: 10, y: 17.5, size: 9.5 } : { x: 14.5, y: 25, size: 18 });
  if (classic) parts.push(...classicFace(card[0], suit, index));
  else parts.push(index, figure(card[0], suit));
  return picture(70, 98, ...parts);
}

// Rank and suit in the corner; a card that is a trump for this game only has a spade, too. A "10" is as wide as a "Q".
function corner(card, suit, strange, { x, y, size }) {
  const rank = suit ? (RANKS[card[0]] ?? card[0]) : "★";
  const ten = rank === "10" && { x: x + 0.7, textLength: size < 18 ? 14 : 23, lengthAdjust: "spacingAndGlyphs" };
  const index = svg("text", { x, y, class: `index${size < 18 ? " small" : ""}`, "text-anchor": "middle", ...ten });
  index.textContent = rank;
  const below = y + size * 0.83;
  return svg("g", {}, [
    index,
    suit && pip(suit, x, below, size),
    strange && pip("S", x, suit ? below + size : below, suit ? size * 0.67 : size, { class: "trump" }),
  ]);
}

function figure(rank, suit) {
  if (!suit) return jester();
  return "JQK".includes(rank) ? court(rank, suit) : pip(suit, 44, 67, rank === "A" ? 48 : 40);
}
