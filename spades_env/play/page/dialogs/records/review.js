// The review of a finished hand: step by step with all cards open, every decision graded; and a way to play the deal
// again.
//
//       N           Hands are shown as in a newspaper, a line for each suit, the highest card first.
//     W   E         Keys: ← → a move, ↑ ↓ a trick, Home and End.
//       S

import { cardText, openCard } from "../../art/cards.js";
import { ask } from "../../connection.js";
import { closeDialog, field, openDialog } from "../dialog.js";
import { button, el, give, mark, put, signed } from "../../dom.js";
import { drawGrades } from "./grades.js";
import { focusNext } from "../../table/focus.js";
import { attempt, say } from "../../speech.js";
import { t } from "../../texts.js";

const SEATS = ["south", "west", "north", "east"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"]; // their order in the steps
const ROWS = ["spades", "hearts", "diamonds", "clubs"]; // their order on the screen
const SYMBOLS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠" };

// The hand that is shown: {key, hand, at, grades, failed, closed} and the server's answer {steps, hands, rules, seat,
// seats, sheet}
let open = null;
const parts = {};

// hand: its number, by default that of the hand finished last. closed() is called when the review is closed.
export async function openReview(key, hand = null, closed = () => {}) {
  const review = await attempt(() => ask("review", { key, hand }));
  if (!review) {
    closed();
    return;
  }
  closeDialog(); // an open review is closed before the next one opens
  open = { key, at: 0, grades: null, failed: null, closed, ...review };
  build();
  draw();
  findGrades();
}

// Open a review; ask first if it makes moves final. back() is called if the answer is no.
export function askReview(key, unsettled, back = () => {}) {
  if (!unsettled) {
    openReview(key);
    return;
  }
  openDialog("sure", t("menu.review"), [
    el("p", {}, t("review.warning")),
    el("div.row", {}, [
      button(t("review.open"), () => openReview(key), "button.strong"),
      button(t("review.not_now"), () => (closeDialog(), back())),
    ]),
  ]);
}

function findGrades() {
  const asked = open;
  const { key, hand, seat } = open;
  open.failed = null;
  ask("grades", { key, hand, seat }).catch((error) => {
    if (open !== asked) return;
    open.failed = error.message;
    draw();
  });
}

// After a lost connection, ask again for grades that were not found yet.
export function askAgain() {
  if (!open || open.grades?.done) return;
  findGrades();
  draw();
}

// Show grades as they are found, unless they belong to another hand.
export function showGrades(grades) {
  if (!open || grades.key !== open.key || grades.hand !== open.hand || grades.seat !== open.seat) return;
  open.grades = grades;
  draw();
}

function build() {
  parts.hands = {};
  parts.board = el("div.board");
  for (const seat of SEATS) {
    parts.hands[seat] = el(`section.open-hand.${seat}`);
    parts.board.append(parts.hands[seat]);
  }
  parts.middle = el("div.middle");
  parts.board.append(parts.middle);
  parts.words = el("p.step-words");
  parts.slider = el("input", { type: "range", min: 0, max: open.steps.length - 1, "aria-label": t("review.step") });
  parts.slider.value = open.at;
  parts.slider.addEventListener("input", () => go(Number(parts.slider.value)));
  parts.grades = el("section.grades", { "aria-label": t("grades.label") });
  openDialog("review", t("hand", { hand: open.hand }), [
    choice(),
    el("div.columns", {}, [
      el("div", {}, parts.board, parts.words, steering()),
      el("div", {}, summary(), parts.grades, onwards()),
    ]),
  ], { spec: "full", keys, closed: leave });
}

function leave() {
  const { closed } = open;
  open = null;
  ask("stop").catch(() => {});
  closed();
}

// The choice of another hand of the game.
function choice() {
  if (open.hands.length < 2) return null;
  const { key, closed } = open;
  const numbers = open.hands.map((hand) => {
    const node = button(String(hand), () => show(key, hand, closed), "button.number");
    give(node, "aria-pressed", String(hand === open.hand));
    give(node, "aria-label", t("hand", { hand }));
    return node;
  });
  return el("div.row.numbers-row", {}, el("span", {}, t("review.hand")), numbers);
}

function show(key, hand, closed) {
  open.closed = () => {};
  closeDialog();
  openReview(key, hand, closed);
}

function steering() {
  const step = (words, label, to) => {
    const node = button(words, () => go(to()));
    give(node, "aria-label", label);
    return node;
  };
  return el("div.steering", {}, [
    step("«", t("review.start"), () => 0),
    step("‹", t("review.back"), () => open.at - 1),
    parts.slider,
    step("›", t("review.forward"), () => open.at + 1),
    step("»", t("review.end"), () => open.steps.length - 1),
  ]);
}

function go(at) {
  open.at = Math.max(0, Math.min(open.steps.length - 1, at));
  parts.slider.value = open.at;
  draw();
  say(parts.words.textContent);
}

function keys(event) {
  if (event.target.matches("select, input[type=number]")) return false;
  const tricks = open.steps.filter((step) => step.phase === "play" && !step.trick.length).map((step) => step.number);
  const to = {
    ArrowRight: () => open.at + 1,
    ArrowLeft: () => open.at - 1,
    ArrowDown: () => tricks.find((at) => at > open.at) ?? open.steps.length - 1,
    ArrowUp: () => tricks.findLast((at) => at < open.at) ?? 0,
    Home: () => 0,
    End: () => open.steps.length - 1,
  }[event.key];
  if (to) go(to());
  return Boolean(to);
}

function draw() {
  const step = open.steps[open.at];
  const last = open.steps.findLast((one) => one.hands);
  const seen = step.hands ? step : { ...last, trick: [], winning: null, turn: null };
  SEATS.forEach((name, seat) => drawHand(parts.hands[name], seat, seen, step));
  drawMiddle(step, seen);
  put(parts.words, stepWords(step));
  give(parts.slider, "aria-valuetext", stepWords(step));
  drawGrades(parts.grades, open, go);
}

function drawHand(node, seat, seen, step) {
  const who = open.seats[seat];
  const bid = seen.bids[seat];
  const taken = step.result?.tricks?.[seat] ?? seen.tricks[seat];
  const over = step.result;
  const lines = ROWS.map((suit) => {
    const cards = over ? [] : seen.hands[seat][SUITS.indexOf(suit)];
    return el(
      `p.suit-line.suit-${suit[0].toUpperCase()}`,
      {},
      el("b", {}, SYMBOLS[suit]),
      cards.map((card) => cardIn(card, suit, step, seat)),
    );
  });
  node.replaceChildren(
    el(
      "p.owner",
      {},
      el("b", {}, who.called),
      ` · ${bid === null || bid === undefined ? noBid(seen, taken) : `${taken} / ${bid}`}`,
    ),
    ...(over ? [] : lines),
  );
  mark(node, "to-move", seen.turn === seat);
}

// What stands for the bid of a seat without one: nothing yet, or its tricks in a hand that it played without.
const noBid = ({ phase }, taken) => (["blind", "bid"].includes(phase) ? "–" : String(taken));

// A card in its line. A card that counts as a spade but has another suit shows its suit.
function cardIn(card, suit, step, seat) {
  const strange = card[1] !== suit[0].toUpperCase();
  const node = el("span.in-line", {}, strange ? cardText(card) : cardText(card).slice(0, -1));
  mark(node, "now", step.move?.seat === seat && step.move.action === card);
  return node;
}

// The trick with the card about to be played, so that a step shows its own move.
function drawMiddle(step, seen) {
  const move = step.move && step.phase === "play" ? [{ seat: step.move.seat, card: step.move.action, now: true }] : [];
  const cards = [...seen.trick, ...move].map((play, i) => {
    const node = el(`div.slot.${SEATS[play.seat]}`, {}, openCard(play.card, open.rules.trumps));
    mark(node, "is-led", i === 0);
    mark(node, "now", play.now);
    return node;
  });
  parts.middle.replaceChildren(...cards);
}

function stepWords(step) {
  if (!step.move) return step.result ? t("hand_over") : "";
  const { by, words: done } = step.move;
  const words = { claim: t("review.claimed", { words: done }), late: t("review.late", { words: done }) }[by] ?? done;
  return t("review.at", { at: open.at + 1, all: open.steps.length, words });
}

function summary() {
  const line = (side) => el("li", {}, el("b", {}, `${side.called} ${signed(side.points)}`), el("span", {}, side.words));
  return el("ul.summary", {}, open.sheet.map(line));
}

// Ways to play the deal again: the person from any seat, or the adviser in all four.
function onwards() {
  const seat = el("select", { id: "again-seat" }, open.seats.map((one) => el("option", {}, one.called)));
  seat.selectedIndex = open.seat;
  const compared = el("p.compared");
  return el("section.onwards", {}, [
    el("h3", {}, t("review.same")),
    el("div.row", {}, [
      field(t("review.seat"), seat),
      button(t("review.again"), () => again(seat.selectedIndex), "button.strong"),
    ]),
    el("div.row", {}, button(t("review.adviser"), () => compare(compared))),
    compared,
    el("p.quiet", {}, t("review.not_counted")),
  ]);
}

const again = (seat) => attempt(async () => {
  const { key, hand } = open;
  await ask("again", { key, hand, seat });
  open.closed = () => {};
  closeDialog();
  focusNext();
});

async function compare(node) {
  const { key, hand, sheet } = open;
  put(node, t("review.playing"));
  try {
    const { by, result } = await ask("compare", { key, hand });
    const lines = sheet.map(
      (side) => t("review.compared", {
        side: side.called, points: signed(result.points[side.side]), played: signed(side.points),
      }),
    );
    put(node, t("review.with", { by, lines: lines.join(", ") }));
  } catch (error) {
    put(node, error.message);
  }
}

