// The overview of all there is to learn: the tutorial's steps with those done, the two drills with their results.

import { ask } from "../connection.js";
import { openDialog } from "../dialogs/dialog.js";
import { button, el, give, mark } from "../dom.js";
import { openDrill } from "./drill.js";
import { openLesson } from "./lesson.js";
import { attempt } from "../speech.js";
import { state } from "../state.js";
import { drawTally } from "./tally.js";
import { t } from "../texts.js";

export async function openLearn() {
  const found = await progress();
  if (!found) return;
  openDialog("learn", t("lessons.title"), [
    el("section", {}, el("h3", {}, t("lessons.tutorial")), tutorial(found)),
    el("section", {}, el("h3", {}, t("lessons.drills")),
      el("div.drills", {}, ["bid", "nil"].map((kind) => drill(kind, found)))),
  ], { spec: "wide" });
}

// Open the first step that is not done.
export async function openTutorial() {
  const found = await progress();
  if (found) openLesson(nextStep(found) ?? 1, found, openLearn);
}

const progress = () => attempt(() => ask("lessons"));

// The number of the first step that is not done; null if all are.
function nextStep({ steps }) {
  const at = steps.findIndex((step) => !step.done);
  return at < 0 ? null : at + 1;
}

function tutorial(found) {
  const next = nextStep(found);
  const begun = found.steps.some((step) => step.done);
  const words = next === 1 || !begun ? t("lessons.begin") : t("lessons.resume", { step: next });
  return [
    el("p", {}, t(next ? "lessons.about" : "lessons.finished")),
    next && button(words, () => openLesson(next, found, openLearn), "button.strong.begin"),
    el("ol.steps", {}, found.steps.map((step, i) => stepEntry(step, i + 1, found))),
  ];
}

function stepEntry({ title, done }, number, found) {
  const node = el("button.step-entry", { type: "button", onclick: () => openLesson(number, found, openLearn) }, [
    el("span.number", { "aria-hidden": "true" }, done ? "✓" : String(number)),
    el("span", {}, title),
  ]);
  mark(node, "done", done);
  give(node, "aria-label", t(done ? "lessons.step_done" : "lessons.to_step", { step: number, title }));
  return el("li", {}, node);
}

function drill(kind, found) {
  const tally = el("div.tally");
  drawTally(tally, kind, found.drills[kind]);
  return el("section.drill-entry", { "aria-label": t(`lessons.${kind}`) }, [
    el("b", {}, t(`lessons.${kind}`)),
    el("p", {}, t(`lessons.${kind}.about`, { by: state.hello.adviser.name })),
    tally,
    el("div.row", {}, button(t("lessons.deal"), () => openDrill(kind, found.drills[kind], openLearn), "button.strong")),
  ]);
}
