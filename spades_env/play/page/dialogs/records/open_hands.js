// All hands of a review, open, and the trick between them.
//
//       N           As in a newspaper: a line for each suit, the highest card first. The card played now is marked, and
//     W   E         a better one has a star. After a fault the better card lies behind the one played, and an arrow
//       S           leads from the hand to each.

import { cardText, openCard } from "../../art/cards.js";
import { el, mark, svg } from "../../dom.js";
import { actionIn, isFault } from "./grades.js";
import { t } from "../../texts.js";

const SEATS = ["south", "west", "north", "east"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"]; // their order in the steps
const ROWS = ["spades", "hearts", "diamonds", "clubs"]; // their order on the screen
const SYMBOLS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };

export function buildOpenHands() {
  const hands = SEATS.map((seat) => el(`section.open-hand.${seat}`));
  const board = el("div.board", {}, hands, svg("svg", { class: "arrows", "aria-hidden": "true" }), el("div.middle"));
  new ResizeObserver(() => drawArrows(board)).observe(board);
  return board;
}

// open: the review, as review.js has it; decision: the person's that is made now, graded
export function drawOpenHands(node, open, decision) {
  const step = open.steps[open.at];
  const last = open.steps.findLast((one) => one.hands);
  const seen = step.hands ? step : { ...last, trick: [], winning: null, turn: null };
  SEATS.forEach((_, seat) => drawHand(node.children[seat], open, seat, seen, decision?.better));
  drawMiddle(node.lastChild, open.rules, step, seen, decision && isFault(decision) && decision.better);
  drawArrows(node);
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

// The trick with the card about to be played, so that a step shows its own move; behind that a better card, which the
// hand's line names.
function drawMiddle(node, { trumps }, step, seen, better) {
  const { seat, action } = (step.phase === "play" && step.move) || {};
  const cards = [...seen.trick, ...(action ? [{ seat, card: action, now: true }] : [])].map((play, i) => {
    const slot = el(`div.slot.${SEATS[play.seat]}`, {}, openCard(play.card, trumps));
    mark(slot, "is-led", i === 0);
    mark(slot, "now", play.now);
    return slot;
  });
  if (action && better) {
    const ghost = [openCard(better, trumps), el("b", {}, "★")];
    cards.unshift(el(`div.slot.ghost.${SEATS[seat]}`, { "aria-hidden": "true" }, ghost));
  }
  node.replaceChildren(...cards);
}

// An arrow from the hand to the card played, and one to the visible part of the better card. aside: where to aim, from
// 0, the centre of the card played, past 1, that of the better card.
function drawArrows(board) {
  const names = [".arrows", ".to-move", ".middle .now", ".ghost"];
  const [sheet, hand, played, ghost] = names.map((name) => board.querySelector(name)?.getBoundingClientRect());
  const arrow = (name, card, aside) => {
    const [x, y] = nearest(hand, {
      x: played.x + played.width / 2 + aside * (ghost.x - played.x),
      y: played.y + played.height / 2 + aside * (ghost.y - played.y),
    });
    const [toX, toY] = nearest(card, { x, y });
    const tip = Math.hypot(toX - x, toY - y) - 4; // before the ring of the card
    const turn = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    return svg("g", { class: name, transform: `translate(${x - sheet.x} ${y - sheet.y}) rotate(${turn})` }, [
      svg("path", { d: `M0 0H${tip - 9}` }),
      svg("path", { d: `M${tip - 9} -5L${tip} 0L${tip - 9} 5Z` }),
    ]);
  };
  const both = ghost ? [arrow("to-played", played, 0), arrow("to-better", ghost, 1.7)] : [];
  board.querySelector(".arrows").replaceChildren(...both);
}

// The point of a box that is nearest to a point.
const nearest = (box, { x, y }) =>
  [Math.max(box.left, Math.min(box.right, x)), Math.max(box.top, Math.min(box.bottom, y))];
