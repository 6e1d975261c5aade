// The middle of the table: the cards of the trick, who led, who is winning. A finished trick stays there for a while,
// then goes to its winner. An earlier trick can be shown instead.
//
//              ┌───┐
//        ┌───┐ │ N │ ┌───┐
//        │ W │ └───┘ │ E │     Every seat has its slot; the first card is marked "led", the winning one has a star.
//        └───┘ ┌───┐ └───┘
//              │ S │
//              └───┘

import { cardWords, openCard } from "../art/cards.js";
import { button, el, give, mark, picture, put, svg } from "../dom.js";
import { buttonOf } from "./hand.js";
import { PLACES, faceOf } from "./seats.js";
import { moving } from "../settings.js";
import { say, trickWords } from "../speech.js";
import { change, knownTricks, placeOf, state } from "../state.js";
import { t } from "../texts.js";

const SLIDE = { duration: 200, easing: "ease-out" };
const slots = [];
let caption, captionText, middle;
const lying = new Map(); // card → {node, place}
let winning = null; // the seat that is winning the trick on the table
let peeked = false;
let faces = null; // the style of the faces that lie there

export function buildTrick(table) {
  middle = el("section.trick", { "aria-label": t("trick") });
  for (const place of PLACES) {
    slots.push(el(`div.slot.${place}`));
    middle.append(slots.at(-1));
  }
  captionText = el("span", {}, "");
  caption = el("div.caption", {}, [
    button("‹", () => peekBy(-1), "button.step"),
    captionText,
    button("›", () => peekBy(1), "button.step"),
    button(t("back"), () => change({ peek: null }), "button.step"),
  ]);
  give(caption.children[0], "aria-label", t("trick.earlier"));
  give(caption.children[2], "aria-label", t("trick.later"));
  middle.append(caption);
  table.append(middle);
}

// Show the last trick, or the table again. Returns whether there is a trick to show.
export function peek(on = state.peek === null) {
  const tricks = knownTricks();
  showTrick(on && tricks.length ? tricks.length - 1 : null);
  return tricks.length > 0;
}

// Show an earlier (−1) or a later (1) trick; from the table itself, the one before the last.
export function peekBy(steps) {
  const most = knownTricks().length - 1;
  if (most >= 0) showTrick(Math.max(0, Math.min(most, (state.peek ?? most) + steps)));
  return most >= 0;
}

function showTrick(place) {
  change({ peek: place });
  if (place === null) return;
  const trick = knownTricks()[place];
  say(t("trick.said", { hand: trick.hand, trick: trick.number, words: trickWords(state.view, trick) }));
}

export function drawTrick() {
  const tricks = knownTricks();
  const looked = state.peek === null ? null : tricks[Math.min(state.peek, tricks.length - 1)];
  caption.hidden = !looked;
  mark(middle, "looking-back", looked);
  if (looked) put(captionText, t("trick.caption", { hand: looked.hand, trick: looked.number }));
  const shown = looked ?? state.held ?? state.view.trick;
  const still = state.still || Boolean(looked) || peeked;
  peeked = Boolean(looked);
  if (faces !== state.settings.faces) clear();
  collect(shown, still);
  winning = shown.winning;
  shown.cards.forEach((play, i) => lay(play, i === 0, play.seat === winning, still));
  mark(middle, "held", state.held && !looked);
}

function clear() {
  lying.forEach(({ node }) => node.remove());
  lying.clear();
  faces = state.settings.faces;
}

// Send cards that no longer lie there to the winner of the trick.
function collect(shown, still) {
  const stay = new Set(shown.cards.map((play) => play.card));
  const gone = [...lying].filter(([card]) => !stay.has(card));
  for (const [card, { node }] of gone) {
    lying.delete(card);
    if (still || winning === null || !moving()) node.remove();
    else flyTo(node, faceOf(placeOf(winning)));
  }
}

function lay({ seat, card }, led, wins, still) {
  const place = placeOf(seat);
  const known = lying.get(card);
  if (!known || known.place !== place) {
    const origin = place === 0 ? buttonOf(card) : faceOf(place);
    const from = !still && moving() ? origin?.getBoundingClientRect() : null;
    const node = el("div.laid", {}, openCard(card, state.view.rules.trumps), el("span.led", {}, t("led")), star());
    slots[place].append(node);
    lying.set(card, { node, place });
    if (from) flyFrom(node, from);
  }
  const { node } = lying.get(card);
  mark(node, "is-led", led);
  mark(node, "is-winning", wins);
  const words = `${state.view.seats[place].called}: ${cardWords(card)}`;
  const key = led ? (wins ? "card.led_winning" : "card.led") : wins && "card.winning";
  give(node.firstChild, "aria-label", key ? t(key, { card: words }) : words);
}

function flyFrom(node, from) {
  const to = node.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], SLIDE);
}

function flyTo(node, target) {
  const from = node.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  give(node, "aria-hidden", "true");
  const flight = node.animate(
    [{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(0.5)`, opacity: 0 }],
    SLIDE,
  );
  flight.onfinish = flight.oncancel = () => node.remove();
}

function star() {
  const shape = svg(
    "path",
    { d: "M10 1L12.7 7.1L19.3 7.8L14.4 12.3L15.8 18.8L10 15.4L4.2 18.8L5.6 12.3L0.7 7.8L7.3 7.1Z" },
  );
  return el("span.star", {}, picture(20, 20, shape));
}
