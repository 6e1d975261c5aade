// Every decision of a seat with its grade, the worst first, and what there is to say about the one that is shown: the
// better choice, its reason, what the move has cost, and the chance to win with every choice.

import { actionText, cardWords } from "../../art/cards.js";
import { leavingButton } from "../people/leaving.js";
import { button, el, give } from "../../dom.js";
import { decimal, percent, t } from "../../texts.js";

const FAULTS = ["blunder", "mistake", "inaccuracy"]; // the worst first; they are listed one by one
export const MARKS = { blunder: "??", mistake: "?", inaccuracy: "?!", good: "✓", best: "★" };

export const isFault = ({ grade }) => FAULTS.includes(grade);
export const gradeMark = (grade) => el("i", { "aria-hidden": "true" }, MARKS[grade]);
export const byCost = (one, other) => other.lost.chance - one.lost.chance;

// review: the open one, with its `grades`; go(number) shows a step of it.
export function drawGrades(node, review, go) {
  const { grades, failed, at } = review;
  const key = `${failed} ${grades ? `${grades.found.length} ${grades.done}` : "none"}`;
  if (node.dataset.key !== key) {
    node.dataset.key = key;
    fill(node, review, go);
  }
  for (const one of node.querySelectorAll(".graded")) {
    give(one, "aria-current", one.dataset.number === String(at) ? "step" : null);
  }
}

// Lists that were opened stay open, and what had the focus keeps it.
function fill(node, review, go) {
  const { grades, failed } = review;
  const title = el("h3", {}, t("grades.title"));
  if (!grades) return void node.replaceChildren(title, el("p.quiet", {}, failed ?? t("differences.looking")));
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.number : null;
  const isOpen = node.querySelector("details")?.open ?? false;
  const { found, by, done } = grades;
  const faults = FAULTS.flatMap((grade) => found.filter((one) => one.grade === grade).sort(byCost));
  const rest = found.filter((one) => !isFault(one));
  const list = (some) => el("ul", {}, some.map((one) => el("li", {}, line(one, review, go))));
  const restWords = t(faults.length ? "grades.rest" : "grades.all", { count: rest.length });
  const others = () => el("details.group", { open: isOpen }, el("summary", {}, restWords), list(rest));
  node.replaceChildren(
    title,
    counts(found),
    faults.length ? list(faults) : el("p", {}, t(done ? "grades.none" : "grades.none_yet")),
    ...(rest.length ? [others()] : []),
    el("p.quiet", {}, done ? t("grades.about", { by }) : failed ?? t("differences.checked", { count: found.length })),
  );
  if (focused !== null) node.querySelector(`[data-number="${focused}"]`)?.focus();
}

// How many moves got each grade.
function counts(found) {
  const tally = Object.keys(MARKS).map((grade) => [grade, found.filter((one) => one.grade === grade).length]);
  const shown = tally.filter(([, count]) => count);
  return el("p.tally", {}, shown.map(
    ([grade, count]) => el(`span.grade.is-${grade}`, {}, gradeMark(grade), t(`tally.${grade}`, { count })),
  ));
}

// The grade of the worst fault among some decisions.
export const worstOf = (found) => FAULTS.find((grade) => found.some((one) => one.grade === grade));

// One decision in a list: what was done, what it cost, and what was better.
function line(one, review, go) {
  const { number, yours, grade, better, lost } = one;
  const done = actionIn(review, number, yours);
  const words = t("grades.line", { where: whereWords(review.steps[number]), yours: done, grade: gradeWords(grade) });
  const node = el(`button.graded.is-${grade}`, { type: "button", onclick: () => go(number) }, [
    grade && gradeMark(grade),
    el("span", {}, words),
    better && el("span.better", {}, `★ ${actionIn(review, number, better)}`),
    el("b", {}, lost && costWords(lost)),
  ]);
  node.dataset.number = number;
  return node;
}

// Describe the decision on screen; what has .told is read aloud. retry(one) replays from there; null hides its button.
export function drawAdvice(node, one, review, retry) {
  const key = one ? `${one.number} ${one.grade}` : "";
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  if (!one) return void node.replaceChildren();
  const { number, grade, better, lost, reason } = one;
  node.replaceChildren(...[
    el(`p.judged.is-${grade}`, {}, [
      grade && gradeMark(grade), el("b.told", {}, gradeWords(grade)), lost && costWords(lost),
    ]),
    better && el("p.told", {}, `${t("grades.better", { better: nameOf(better, review, number) })} ${reason ?? ""}`),
    parts(one),
    el("div.row", {}, tried(one, review), retry && leavingButton(t("review.retry"), () => retry(one), "button")),
  ].filter(Boolean));
}

export const actionIn = ({ steps, rules }, number, action) =>
  actionText(action, rules.values.nil, steps[number].phase === "blind");

// An action at the end of a sentence.
export const nameOf = (action, review, number) =>
  action.length === 2 ? t("hint.card", { card: cardWords(action) }) : actionIn(review, number, action);

const gradeWords = (grade) => t(`grade.${grade ?? "unknown"}`);

// Suit and card apart, where both were a choice and the move was not the best.
function parts({ suit, card, better }) {
  if (!better || !suit || !card) return null;
  return el("p.quiet", {}, t("grades.parts", { suit: gradeWords(suit.grade), card: gradeWords(card.grade) }));
}

// The chance to win with the best choices that were tried, and with the one that was made.
function tried({ number, yours, better, tried: choices }, review) {
  const shown = choices.filter(({ action }, i) => i < 5 || action === yours);
  return el("ul.tried", { "aria-label": t("hint.chance") }, shown.map(({ action, chance }) => {
    const best = action === (better ?? yours) ? "★ " : "";
    const words = `${best}${actionIn(review, number, action)} ${percent(chance, 1)}`;
    return action === yours ? el("li", {}, el("b", {}, words), ` ${t("review.played")}`) : el("li", {}, words);
  }));
}

const costWords = ({ chance, doubt }) =>
  chance > 0 && t("grades.cost", { points: decimal(100 * chance), doubt: decimal(100 * doubt) });

function whereWords(step) {
  if (step.phase !== "play") return t(step.phase === "pass" ? "differences.pass" : "differences.bid");
  return t("differences.trick", { trick: 1 + step.tricks.reduce((sum, taken) => sum + taken, 0) });
}
