// The review of a finished hand: step by step with all cards open, every decision graded, the better card marked with a
// star and, after a fault, laid on the table; and ways to play the deal again, from its start or from a decision.
//
// Keys: ← → a move, ↑ ↓ a trick, Home and End; D the next mistake, Shift D the one before.
//
// It opens at the decision that has cost most: in the hand that was asked for or, in a finished game, in all hands.

import { ask } from "../../connection.js";
import { buildCourse, drawCourse } from "./course.js";
import { buildOpenHands, drawOpenHands } from "./open_hands.js";
import { closeDialog, openDialog } from "../dialog.js";
import { button, el, give, put, signed } from "../../dom.js";
import { byCost, drawAdvice, drawGrades, isFault, MARKS, nameOf, worstOf } from "./grades.js";
import { focusNext } from "../../table/focus.js";
import { onwards } from "./onwards.js";
import { attempt, notice, say } from "../../speech.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

// The hand that is shown: {key, hand, at, failed, closed}; known: the grades of every hand of the game; seeks: the
// hands whose worst decision will be shown unless the person does something; and the server's answer {steps, hands,
// over, rules, seat, seats, sheet}
let open = null;
const parts = {};

// hand: its number, by default that of the hand finished last. closed() is called when the review is closed.
export async function openReview(key, hand = null, closed = () => {}, known = new Map()) {
  const review = await attempt(() => ask("review", { key, hand }));
  if (!review) return void closed();
  closeDialog(); // an open review is closed before the next one opens
  const seeks = hand === null && review.over ? review.hands : [review.hand];
  open = { key, at: 0, failed: null, closed, known, seeks, ...review };
  build();
  draw();
  seek();
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

// Ask for the grades of the hand that is shown, then of the others.
async function findGrades() {
  const asked = open;
  const { key, hand, hands, seat, known } = open;
  open.failed = null;
  try {
    for (const one of [hand, ...hands.filter((other) => other !== hand)]) {
      if (!known.get(one)?.done) await ask("grades", { key, hand: one, seat });
      if (open !== asked) return;
    }
  } catch (error) {
    if (open !== asked) return;
    open.failed = error.message;
    draw();
  }
}

// After a lost connection, ask again for grades that were not found yet.
export function askAgain() {
  if (!open || open.hands.every((hand) => open.known.get(hand)?.done)) return;
  findGrades();
  draw();
}

// Show grades as they are found, unless they belong to another game.
export function showGrades(grades) {
  if (!open || grades.key !== open.key || grades.seat !== open.seat) return;
  open.known.set(grades.hand, grades);
  draw();
  seek();
}

const found = (hand) => open.known.get(hand)?.found ?? [];
const decisionNow = () => found(open.hand).find((one) => one.number === open.at);
const faultsOf = (hand) => found(hand).filter(isFault);

// Go to the worst decision of the hands that are sought, once all of them are graded.
function seek() {
  const { seeks, known } = open;
  if (!seeks?.every((hand) => known.get(hand)?.done)) return;
  const faults = seeks.flatMap((hand) => faultsOf(hand).map((one) => ({ ...one, hand })));
  const [worst] = faults.sort(byCost);
  settle();
  if (worst?.hand === open.hand) go(worst.number);
  else if (worst) show(worst.hand);
}

const settle = () => (open.seeks = null);

function build() {
  parts.hands = buildOpenHands();
  parts.words = el("p.step-words");
  parts.slider = el("input", { type: "range", min: 0, max: open.steps.length - 1, "aria-label": t("review.course") });
  parts.slider.value = open.at;
  parts.slider.addEventListener("input", () => go(Number(parts.slider.value)));
  parts.course = buildCourse(parts.slider);
  parts.faults = el("span.row", {}, [
    button(t("review.fault_back"), () => goToFault(-1)),
    button(t("review.fault"), () => goToFault(1)),
  ]);
  parts.advice = el("section.advised", { "aria-label": t("grades.label") });
  parts.grades = el("section.grades", { "aria-label": t("grades.title") });
  const body = openDialog("review", t("hand", { hand: open.hand }), [
    choice(),
    el("div.columns", {}, [
      el("div", {}, parts.hands, parts.words, steering(), parts.course),
      el("div", {}, parts.advice, parts.grades, summary(), onwards(open, again)),
    ]),
  ], { spec: "full", keys, closed: leave });
  body.onpointerdown = body.onwheel = settle;
}

function leave() {
  const { closed } = open;
  open = null;
  ask("stop").catch(() => {});
  closed();
}

// The choice of another hand of the game.
function choice() {
  parts.numbers = open.hands.map((hand) => {
    const node = button(String(hand), () => show(hand), "button.number");
    give(node, "aria-pressed", String(hand === open.hand));
    return node;
  });
  if (open.hands.length < 2) return null;
  return el("div.row.numbers-row", {}, el("span", {}, t("review.hand")), parts.numbers);
}

// Each hand with its worst grade.
function drawChoice() {
  parts.numbers.forEach((node, i) => {
    const hand = open.hands[i];
    const worst = worstOf(found(hand));
    put(node, worst ? `${hand} ${MARKS[worst]}` : hand);
    give(node, "aria-label", t("hand", { hand }) + (worst ? `: ${t(`grade.${worst}`)}` : ""));
  });
}

function show(hand) {
  const { key, closed, known } = open;
  close();
  openReview(key, hand, closed, known);
}

// Close the review without what would follow.
function close() {
  open.closed = () => {};
  closeDialog();
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
    step("›", t("review.forward"), () => open.at + 1),
    step("»", t("review.end"), () => open.steps.length - 1),
    parts.faults,
  ]);
}

function go(at) {
  open.at = Math.max(0, Math.min(open.steps.length - 1, at));
  parts.slider.value = open.at;
  draw();
  say([parts.words, ...parts.advice.querySelectorAll(".told")].map((node) => node.textContent).join(". "));
}

// The next fault, or the one before; round the hand.
function goToFault(way) {
  const numbers = faultsOf(open.hand).map((one) => one.number);
  if (!numbers.length) return;
  const next = way > 0 ? numbers.find((at) => at > open.at) : numbers.findLast((at) => at < open.at);
  go(next ?? numbers.at(way > 0 ? 0 : -1));
}

function keys(event) {
  settle();
  if (event.target.matches("select, input[type=number]")) return false;
  if (event.key.toLowerCase() === "d") return goToFault(event.shiftKey ? -1 : 1), true;
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
  drawOpenHands(parts.hands, open, decisionNow());
  put(parts.words, stepWords(step));
  const shown = { ...open, grades: open.known.get(open.hand) };
  parts.faults.hidden = !faultsOf(open.hand).length;
  drawChoice();
  drawCourse(parts.course, shown);
  give(parts.slider, "aria-valuetext", `${stepWords(step)}. ${parts.course.lastChild.textContent}`);
  drawAdvice(parts.advice, decisionNow(), shown, state.hello?.guest ? null : retry);
  drawGrades(parts.grades, shown, (number) => {
    go(number);
    parts.words.scrollIntoView({ block: "nearest" });
  });
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

// Play the deal again after so many of its moves. words: a notice for the person.
const again = (seat, moves = 0, words = null) => attempt(async () => {
  const review = open;
  await ask("again", { key: review.key, hand: review.hand, seat, moves });
  if (open === review) close(); // it may have been closed meanwhile
  focusNext();
  if (words) notice(words);
});

const retry = ({ number, yours, better }) =>
  again(open.seat, number, better && t("review.try", { choice: nameOf(yours, open, number) }));
