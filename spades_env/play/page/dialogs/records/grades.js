// Every decision of a seat with its grade, the worst first: the better choice, its reason, and what the move has cost.

import { actionText } from "../../art/cards.js";
import { button, el } from "../../dom.js";
import { decimal, t } from "../../texts.js";

const FAULTS = ["blunder", "mistake", "inaccuracy"]; // the worst first; they are listed one by one
const MARKS = { blunder: "??", mistake: "?", inaccuracy: "?!", good: "✓", best: "★" };

// The second argument is the open review; go(number) shows a step of it.
export function drawGrades(node, { grades, failed, steps, at, rules }, go) {
  const key = `${failed} ${at} ${grades ? `${grades.found.length} ${grades.done}` : "none"}`;
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.number : null;
  if (!grades) {
    node.replaceChildren(el("h3", {}, t("grades.title")), el("p.quiet", {}, failed ?? t("differences.looking")));
    return;
  }
  const { found, by, done } = grades;
  const faults = FAULTS.flatMap((grade) => found.filter((one) => one.grade === grade).sort(byCost));
  const rest = found.filter((one) => !FAULTS.includes(one.grade));
  const list = (some) => el("ul", {}, some.map((one) => el("li", {}, line(one, { steps, at, rules }, go))));
  node.replaceChildren(
    el("h3", {}, t("grades.title")),
    counts(found),
    faults.length ? list(faults) : el("p", {}, t(done ? "grades.none" : "grades.none_yet")),
    ...(rest.length ? [el("details.group", {}, el("summary", {}, restWords(rest)), list(rest))] : []),
    el("p.quiet", {}, done ? t("grades.about", { by }) : failed ?? t("differences.checked", { count: found.length })),
  );
  if (focused !== null) node.querySelector(`[data-number="${focused}"]`)?.focus();
}

const restWords = (rest) => t("grades.rest", { count: rest.length });

const byCost = (one, other) => other.lost.chance - one.lost.chance;

// How many moves got each grade.
function counts(found) {
  const tally = Object.keys(MARKS).map((grade) => [grade, found.filter((one) => one.grade === grade).length]);
  const shown = tally.filter(([, count]) => count);
  const spans = shown.map(
    ([grade, count]) => el(`span.grade.is-${grade}`, {}, gradeMark(grade), t(`tally.${grade}`, { count })),
  );
  return el("p.tally", {}, spans);
}

const gradeMark = (grade) => el("i", { "aria-hidden": "true" }, MARKS[grade]);

// One decision: what was done and what it cost; below it what was better, why, and the grades of suit and card.
function line(one, { steps, at, rules }, go) {
  const { number, yours, grade, better, lost, reason } = one;
  const node = button("", () => go(number), `button.graded.is-${grade ?? "unknown"}`);
  node.dataset.number = number;
  if (number === at) node.setAttribute("aria-current", "step");
  const where = whereWords(steps[number]);
  const done = (action) => actionText(action, rules.values.nil, steps[number].phase === "blind");
  const head = t("grades.line", { where, yours: done(yours), grade: gradeWords(grade) });
  const cost = el("b", {}, lost ? costWords(lost) : "");
  const advice = better && el("span.better", {}, betterWords(done(better), reason));
  node.append(
    el("span.head", {}, grade ? gradeMark(grade) : null, el("span", {}, head), cost),
    ...[advice, parts(one)].filter(Boolean),
  );
  return node;
}

function betterWords(better, reason) {
  const words = t("grades.better", { better });
  return reason ? `${words} ${reason}` : words;
}

const gradeWords = (grade) => t(`grade.${grade ?? "unknown"}`);

// Suit and card apart, where both were a choice and the move was not the best.
function parts({ suit, card, better }) {
  if (!better || !suit || !card) return null;
  const words = t("grades.parts", { suit: gradeWords(suit.grade), card: gradeWords(card.grade) });
  return el("span.parts", {}, words);
}

const points = (chance) => decimal(100 * chance);

function costWords({ chance, doubt }) {
  return chance > 0 ? t("grades.cost", { points: points(chance), doubt: points(doubt) }) : "";
}

function whereWords(step) {
  if (step.phase !== "play") return t(step.phase === "pass" ? "differences.pass" : "differences.bid");
  return t("differences.trick", { trick: 1 + step.tricks.reduce((sum, taken) => sum + taken, 0) });
}
