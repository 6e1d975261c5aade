// All hands of a review, open, and the trick between them.
//
//       N           As in a newspaper: a line for each suit, the highest card first. The card played now is marked, and
//     W   E         a better one has a star.
//       S

import { cardText, openCard } from "../../art/cards.js";
import { el, mark } from "../../dom.js";
import { actionIn } from "./grades.js";
import { t } from "../../texts.js";

const SEATS = ["south", "west", "north", "east"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"]; // their order in the steps
const ROWS = ["spades", "hearts", "diamonds", "clubs"]; // their order on the screen
const SYMBOLS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };

export const buildOpenHands = () =>
  el("div.board", {}, SEATS.map((seat) => el(`section.open-hand.${seat}`)), el("div.middle"));

// open: the review, as review.js has it; better: what would have been better than the person's action now
export function drawOpenHands(node, open, better) {
  const step = open.steps[open.at];
  const last = open.steps.findLast((one) => one.hands);
  const seen = step.hands ? step : { ...last, trick: [], winning: null, turn: null };
  const [middle, ...hands] = [node.lastChild, ...node.children];
  SEATS.forEach((_, seat) => drawHand(hands[seat], open, seat, seen, better));
  drawMiddle(middle, open.rules, step, seen);
}

function drawHand(node, open, seat, seen, ofOwn) {
  const who = open.seats[seat];
  const step = open.steps[open.at];
  const bid = seen.bids[seat];
  const taken = step.result?.tricks?.[seat] ?? seen.tricks[seat];
  const over = step.result;
  const better = step.move?.seat === seat && seat === open.seat ? ofOwn : null;
  const lines = ROWS.map((suit) => {
    const cards = over ? [] : seen.hands[seat][SUITS.indexOf(suit)];
    return el(
      `p.suit-line.suit-${suit[0].toUpperCase()}`,
      {},
      el("b", {}, SYMBOLS[suit]),
      cards.map((card) => cardIn(card, suit, step.move?.seat === seat && step.move.action === card, card === better)),
    );
  });
  node.replaceChildren(
    el(
      "p.owner",
      {},
      el("b", {}, who.called),
      ` · ${bid === null || bid === undefined ? noBid(seen, taken) : `${taken} / ${bid}`}`,
      better && !["play", "pass"].includes(step.phase) && star(actionIn(open, open.at, better)),
    ),
    ...(over ? [] : lines),
  );
  mark(node, "to-move", seen.turn === seat);
}

// What stands for the bid of a seat without one: nothing yet, or its tricks in a hand that it played without.
const noBid = ({ phase }, taken) => (["blind", "bid"].includes(phase) ? "–" : String(taken));

// A card in its line; is it played now, was it better? A card that counts as a spade but has another suit shows it.
function cardIn(card, suit, now, better) {
  const strange = card[1] !== suit[0].toUpperCase();
  const words = strange ? cardText(card) : cardText(card).slice(0, -1);
  const said = now && el("span.unseen", {}, ` ${t("review.played")}`);
  const node = el("span.in-line", {}, better ? star(words) : words, said);
  mark(node, "now", now);
  return node;
}

// What would have been better.
const star = (words) => el("span.star", {}, [
  el("span", { "aria-hidden": "true" }, "★"),
  el("span.unseen", {}, `${t("review.better")} `),
  words,
]);

// The trick with the card about to be played, so that a step shows its own move.
function drawMiddle(node, { trumps }, step, seen) {
  const move = step.move && step.phase === "play" ? [{ seat: step.move.seat, card: step.move.action, now: true }] : [];
  const cards = [...seen.trick, ...move].map((play, i) => {
    const slot = el(`div.slot.${SEATS[play.seat]}`, {}, openCard(play.card, trumps));
    mark(slot, "is-led", i === 0);
    mark(slot, "now", play.now);
    return slot;
  });
  node.replaceChildren(...cards);
}
