// A step of the tutorial: a position to play, and beside it what to do, what was right about an answer or why another
// one is better, and the way on. The server has the positions and judges the answers.

import { ask } from "../connection.js";
import { openDialog } from "../dialogs/dialog.js";
import { button, el, give, mark, put, signed } from "../dom.js";
import { makeBoard } from "./board.js";
import { attempt, say } from "../speech.js";
import { t } from "../texts.js";

let open = null; // the step that is shown: {step, steps, moves, board, parts, done, home}

// Open a step. done: which steps are finished, by number; home() shows the overview.
export async function openLesson(step, done, home) {
  const answer = await attempt(() => ask("lesson", { step }));
  if (!answer) return;
  const board = makeBoard(choose, answer.shows);
  const parts = {
    words: el("p.lesson-words"), reply: el("p.lesson-reply", { hidden: true }), verdict: el("b"), why: el("span"),
    sheet: el("ul.summary", { hidden: true }), onwards: el("div.row"),
  };
  parts.reply.append(parts.verdict, parts.why);
  open = { step, steps: answer.steps, moves: [], board, parts, done, home };
  const here = open;
  openDialog("lesson", answer.title, [
    dots(),
    el("div.lesson-columns", {}, [
      el("section.lesson-card", { "aria-label": t("lessons.step", { step, steps: answer.steps }) }, [
        parts.reply, parts.words, parts.sheet, parts.onwards,
      ]),
      board.node,
    ]),
  ], { spec: "full", keys: board.keys, closed: () => open === here && (open = null) });
  put(parts.words, answer.words);
  say(answer.words);
  await board.show(answer.frames, { still: true });
}

// The steps as dots: done, here, to come. Each can be opened.
function dots() {
  const { step, steps, done, home } = open;
  const numbers = Array.from({ length: steps }, (_, i) => i + 1);
  return el("ol.dots", {}, numbers.map((number) => {
    const isDone = done.steps[number - 1].done;
    const node = button(String(number), () => openLesson(number, done, home), "button.dot");
    const { title } = done.steps[number - 1];
    give(node, "aria-label", t(isDone ? "lessons.step_done" : "lessons.to_step", { step: number, title }));
    give(node, "aria-current", number === step ? "step" : null);
    mark(node, "done", isDone);
    return el("li", {}, node);
  }));
}

async function choose(action) {
  const here = open;
  const { step, moves, board, parts } = here;
  board.rest(true);
  await attempt(async () => {
    const answer = await ask("lesson", { step, moves: [...moves, action] });
    if (open !== here) return;
    here.moves = answer.moves;
    reply(parts, answer);
    if (answer.good) await board.show(answer.frames, { keep: answer.over });
    if (open !== here) return;
    put(parts.words, answer.words);
    if (answer.good) say(answer.words);
    if (answer.over) end(answer);
  });
  board.rest(false);
}

function reply(parts, { good, reply: words }) {
  parts.reply.hidden = false;
  mark(parts.reply, "is-right", good);
  mark(parts.reply, "is-wrong", !good);
  const verdict = t(good ? "lessons.good" : "lessons.again");
  put(parts.verdict, verdict);
  put(parts.why, words);
  say(`${verdict}. ${words}`);
}

// The step is done: what it scored, and the way on.
function end({ frames }) {
  const { step, steps, done, home, parts } = open;
  done.steps[step - 1].done = true;
  mark(document.querySelectorAll(".dots .dot")[step - 1], "done", true);
  const hand = frames.at(-1).sheet.at(-1);
  parts.sheet.hidden = !hand;
  parts.sheet.replaceChildren(...(hand?.sides ?? []).map(line));
  const next = step < steps
    ? button(t("lessons.next"), () => openLesson(step + 1, done, home), "button.strong")
    : button(t("lessons.overview"), home, "button.strong");
  parts.onwards.replaceChildren(next, button(t("lessons.repeat"), () => openLesson(step, done, home)));
  next.focus();
}

const line = (side) => el("li", {}, el("b", {}, `${side.called} ${signed(side.points)}`), el("span", {}, side.words));
