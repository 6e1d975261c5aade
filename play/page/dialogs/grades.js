// Where the adviser would have acted differently, and about how many points that cost.

import { actionText } from "../art/cards.js";
import { button, el } from "../dom.js";
import { state } from "../state.js";
import { t } from "../texts.js";

const LEAST = 0.5; // points; smaller losses are listed separately

// The second argument is the open review; go(number) shows a step of it.
export function drawDifferences(node, { losses, failed, steps }, go) {
  const key = `${failed} ${losses ? `${losses.found.length} ${losses.asked} ${losses.done}` : "none"}`;
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  if (!losses) {
    const words = failed ?? t("differences.looking");
    const title = t("differences.adviser", { by: state.hello.adviser.name });
    node.replaceChildren(el("h3", {}, title), el("p.quiet", {}, words));
    return;
  }
  const major = losses.found.filter(isMajor).sort((a, b) => costOf(b) - costOf(a));
  const minor = losses.found.filter((one) => !isMajor(one));
  const list = (some) => el("ul", {}, some.map((one) => el("li", {}, differenceButton(one, steps, losses.by, go))));
  node.replaceChildren(
    el("h3", {}, t("differences.title", { by: losses.by })),
    major.length ? list(major) : el("p", {}, t(losses.done ? "differences.nowhere" : "differences.nowhere_yet")),
    ...(minor.length ? [el("details.group", {}, el("summary", {}, minorWords(minor)), list(minor))] : []),
    el("p.quiet", {}, losses.done ? doneWords(major) : failed ?? t("differences.checked", { count: losses.asked })),
  );
}

// A loss is major if it is large and more than its uncertainty, or if it is unknown.
const costOf = ({ lost }) => lost?.points ?? 0;
const isMajor = ({ lost }) => !lost || (lost.points >= LEAST && lost.points > lost.doubt);

function differenceButton({ number, yours, theirs, lost }, steps, by, go) {
  const words = t("differences.line", {
    where: whereWords(steps[number]), yours: actionText(yours), by, theirs: actionText(theirs),
  });
  const node = button("", () => go(number), "button.difference");
  node.append(el("span", {}, words), el("b", {}, lost ? lostWords(lost) : "?"));
  return node;
}

function lostWords({ points, doubt }) {
  return `${points >= 0 ? "−" : "+"}${Math.abs(points).toFixed(1)} ± ${doubt.toFixed(1)}`;
}

function whereWords(step) {
  if (step.phase !== "play") return t(step.phase === "pass" ? "differences.pass" : "differences.bid");
  return t("differences.trick", { trick: 1 + step.tricks.reduce((sum, taken) => sum + taken, 0) });
}

const minorWords = (minor) => t("differences.minor", { count: minor.length });

function doneWords(major) {
  if (!major.length) return "";
  const total = major.reduce((sum, one) => sum + costOf(one), 0);
  return t("differences.total", { points: total.toFixed(0) });
}
