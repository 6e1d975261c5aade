// The person's cards: buttons that keep their order in the document and slide to their places on the screen.
//
//     wide      ╭─╭─╭─╭─╮ ╭─╭─╭─╮ ╭─╭─╭─╮ ╭─╭─╭─╮      one row, a gap between suits
//     upright   two rows with whole suits where they fit, on phones and tablets; the style sheet says so in --folds
//
// On the person's turn, cards that may not be played are dimmed; pressing one says why. One card is in the tab order,
// and arrow keys move among the cards.

import { cardBack, cardFace, colourOf, markPlayable } from "../art/cards.js";
import { deal } from "./deal.js";
import { play } from "../moves.js";
import { arrange, el, give, lasting, mark } from "../dom.js";
import { makeDraggable } from "./drag.js";
import { twoTaps } from "../settings.js";
import { hush, say } from "../speech.js";
import { change, handCards, positionOf, state } from "../state.js";
import { drawWeight, weightNode } from "./weight.js";
import { t } from "../texts.js";

const GAP = 0.28; // between suits, in steps from card to card
const THUMB = 44; // pixels of a card that must be free
const buttons = new Map(); // card → button
let box = null;
let drawn = null; // the position that was drawn last
let faces = null; // the style of the faces that were drawn last
let room = null; // what roomFor found last

export function buildHand(table) {
  box = el("section.hand", { "aria-label": t("your_hand"), role: "group" });
  table.append(box);
  addEventListener("resize", () => {
    room = null;
    if (state.view) change();
  });
  document.addEventListener("pointerdown", (event) => {
    if (state.lifted && !event.target.closest(".hand, .panel")) change({ lifted: null });
  });
}

export const buttonOf = (card) => buttons.get(card) ?? null;

export function drawHand() {
  const lanes = handCards();
  const cards = lanes.flatMap((lane) => lane.cards);
  const covered = state.view.seats[0].looked || cards.length ? 0 : state.view.seats[0].cards;
  const focused = document.activeElement?.closest?.(".hand button");
  const place = focused ? [...box.children].indexOf(focused) : -1;
  for (const card of buttons.keys()) if (!cards.includes(card) || faces !== state.settings.faces) buttons.delete(card);
  faces = state.settings.faces;
  const nodes = covered ? backs(covered) : cards.map(buttonFor);
  arrange(box, nodes);
  setOut(nodes, covered ? [{ cards: Array(covered).fill("") }] : lanes);
  const stop = stopIn(cards);
  cards.forEach((card) => drawCard(card, stop));
  const news = positionOf(state.view) !== drawn;
  drawn = positionOf(state.view);
  deal(nodes);
  if (place >= 0 && (news || !focused.isConnected)) settleFocus(focused, cards, place);
}

// Keep the focus where it was, or on the nearest card left. If that may not be played, move to one that may.
function settleFocus(focused, cards, place) {
  const here = focused.isConnected ? focused.dataset.card : cards[Math.min(place, cards.length - 1)];
  const open = openIn(cards);
  focusCard(open.includes(here) ? here : open[0]);
}

// The cards that the arrow keys go through: those that may be played, or all while none may.
function openIn(cards) {
  const playable = cards.filter((card) => state.view.legal.includes(card));
  return playable.length ? playable : cards;
}

// The card in the tab order.
function stopIn(cards) {
  const { cursor } = state;
  const open = openIn(cards);
  return open.includes(cursor) || (cursor && buttonOf(cursor) === document.activeElement) ? cursor : open[0];
}

// Put the focus on a card.
function focusCard(card) {
  const node = buttonOf(card);
  if (node) node.focus();
  else document.getElementById("table").focus();
}

function backs(count) {
  const old = [...box.children].filter((node) => node.matches(".back"));
  return Array.from({ length: count }, (_, i) => old[i] ?? cardBack());
}

function buttonFor(card) {
  if (!buttons.has(card)) buttons.set(card, makeButton(card));
  return buttons.get(card);
}

function makeButton(card) {
  const face = cardFace(card, state.view.rules.trumps);
  const node = el(`button.card.suit-${colourOf(card)}`, { type: "button", "data-card": card }, face, weightNode());
  node.addEventListener("focus", () => state.cursor !== card && change({ cursor: card }));
  node.addEventListener("click", (event) => press(card, event));
  makeDraggable(node, () => state.view.legal.includes(card), () => {
    play(card);
    change(); // a card that does not leave the hand goes back to its place
  });
  return node;
}

// One press plays a card, or the first press lifts it and the second plays it.
function press(card, event) {
  if (twoTaps(event) && state.lifted !== card && state.view.legal.includes(card)) lift(card);
  else play(card);
}

function lift(card) {
  hush();
  change({ lifted: card });
  say(t("tap_again"));
}

function drawCard(card, stop) {
  const node = buttons.get(card);
  const { view, lifted } = state;
  if (!state.busy && !node.matches(".dragged")) node.style.translate = ""; // it was dropped on the table but not played
  markPlayable(node, card, view);
  mark(node, "lifted", lifted === card);
  mark(node, "given", view.passing?.given.includes(card) && view.phase === "pass");
  mark(node, "received", view.passing?.received.includes(card) && !view.tricks.length);
  give(node, "tabindex", card === stop ? 0 : -1);
  drawWeight(node.lastChild, card);
}

// Give every card its row and its step in the row; the style sheet computes its place from them.
function setOut(nodes, lanes) {
  const inRows = rowsOf(lanes, nodes.length ? roomFor(nodes[0]) : {});
  let i = 0;
  lasting(document.documentElement, "--rows", inRows.length);
  lasting(box, "--longest", Math.max(...inRows.map((row) => row.steps.length)));
  inRows.forEach(({ steps, length }, row) => {
    for (const step of steps) {
      const node = nodes[i++];
      lasting(node, "--row", row);
      lasting(node, "--step", step);
      lasting(node, "--length", length);
    }
  });
}

// Do thirteen cards lie in two rows, and how many of them fit into one? The answer forces a layout, so it is kept while
// the window and the cards keep their size.
function roomFor(node) {
  const { cardSize } = state.settings;
  if (room?.cardSize !== cardSize || room.fits < 1) {
    const folded = getComputedStyle(box).getPropertyValue("--folds").trim() === "2";
    room = { cardSize, folded, fits: 1 + Math.floor((box.clientWidth - 2 - node.offsetWidth) / THUMB) };
  }
  return room;
}

// [{steps, length}] for each row, of which no more than `fits` cards have space.
function rowsOf(lanes, { folded, fits }) {
  const count = lanes.reduce((sum, lane) => sum + lane.cards.length, 0);
  const most = folded && count > 7 ? firstRow(lanes, count, fits) : count;
  const rows = [{ steps: [], length: 0 }];
  let at = 0;
  for (const lane of lanes) {
    if (rows.at(-1).steps.length) at += folded ? 0 : GAP;
    for (let i = 0; i < lane.cards.length; i++) {
      if (rows.length === 1 && rows[0].steps.length === most) {
        rows.push({ steps: [], length: 0 });
        at = 0;
      }
      rows.at(-1).steps.push(at);
      rows.at(-1).length = at;
      at += 1;
    }
  }
  return rows;
}

// As many of the first suits as leave two rows of about equal length; if one is too long for a window, half the cards.
function firstRow(lanes, count, fits) {
  const longer = (some) => Math.max(some, count - some);
  const ends = lanes.map((_, i) => lanes.slice(0, i + 1).reduce((sum, lane) => sum + lane.cards.length, 0));
  const best = ends.reduce((a, b) => (longer(b) < longer(a) ? b : a));
  return longer(best) <= fits ? best : Math.ceil(count / 2);
}

// Moving among the cards by keys

export function moveCursor(steps) {
  const cards = handCards().flatMap((lane) => lane.cards);
  if (!cards.length) return;
  const at = cards.indexOf(document.activeElement?.dataset?.card);
  const round = cards.map((_, i) => cards.at((at + steps * (i + 1)) % cards.length));
  focusCard(at < 0 ? startCard(cards) : round.find((card) => openIn(cards).includes(card)));
}

// Go to the next suit, to a playable card if there is one.
export function moveSuit(steps) {
  const lanes = handCards().filter((lane) => lane.cards.length);
  if (!lanes.length) return;
  const at = lanes.findIndex((lane) => lane.cards.includes(document.activeElement?.dataset?.card));
  const lane = lanes[at < 0 ? 0 : (at + steps + lanes.length) % lanes.length];
  focusCard(startCard(lane.cards));
}

export function moveToSuit(letter) {
  const lane = handCards().find((one) => one.suit[0].toUpperCase() === letter && one.cards.length);
  if (lane) focusCard(startCard(lane.cards));
  return Boolean(lane);
}

// Go to the lowest or the highest card of the suit, in either sort order.
export function moveToEnd(lowest) {
  const lane = handCards().find((one) => one.cards.includes(document.activeElement?.dataset?.card));
  if (lane) focusCard(lane.cards.at(lowest === state.settings.ascending ? 0 : -1));
  else moveCursor(0);
}

const startCard = (cards) => cards.find((card) => state.view.legal.includes(card)) ?? cards[0];
