// The person's moves at the table. The server decides; a refusal is shown in its words.

import { ask } from "./connection.js";
import { newest } from "./queue.js";
import { attempt, hush, notice, noticeHere, say } from "./speech.js";
import { change, hintNow, placeOf, positionOf, state } from "./state.js";
import { t } from "./texts.js";

const SOON = 1000; // milliseconds within which the server usually answers
let askedAt = 0; // when the server was asked last

// Make a move; a nil that need not be bid, and all that is bid blind, must be confirmed first.
export function act(action, confirmed = false) {
  const { view } = state;
  if (!view?.your_turn || isBusy()) return;
  hush();
  if (!confirmed && mustBeConfirmed(action)) change({ confirm: action, lifted: null });
  else send("act", { action, version: view.version });
}

export function play(card) {
  const { view } = state;
  if (!view) return;
  const why = view.refused[card];
  if (why) noticeHere(why);
  else if (view.legal.includes(card)) act(card);
  else if (view.your_turn) noticeHere(view.prompt);
  else noticeHere(view.turn === null ? view.prompt : t("wait", { who: view.seats[placeOf(view.turn)].called }));
}

export function takeBack(moves = 1) {
  const view = newest();
  if (!view?.can.takeback) notice(t(whyNoUndo(view)));
  else send("takeback", { moves, version: view.version });
}

function whyNoUndo(view) {
  if (view?.outcome) return "error.game_over";
  return view?.daily?.counted ? "error.daily_undo" : "error.no_undo";
}

// Take the rest of the tricks if they are certain.
export function claim() {
  if (state.view?.can.claim) send("claim", { version: state.view.version });
}

// Ask the adviser, show the advice as bars and in words, and say it; hide it if it is shown already.
export async function hint() {
  const { view } = state;
  if (hintNow()) {
    change({ hint: null });
    return;
  }
  if (view?.daily?.counted && !view.outcome) {
    notice(t("error.daily_hint"));
    return;
  }
  if (!view?.can.hint) {
    noticeHere(view ? t("no_hint", { prompt: view.prompt }) : t("no_view"));
    return;
  }
  const stamp = positionOf(view);
  const wait = t("hint.wait", { who: state.hello.adviser.name });
  const waiting = setTimeout(() => notice(wait, () => state.busy === "hint"), SOON);
  const answer = await send("hint", { version: view.version });
  clearTimeout(waiting);
  if (!answer) return;
  const { by, best, heading, words, reason } = answer;
  const weighed = Object.fromEntries(answer.hint.map((one, place) => [one.action, { ...one, best: !place }]));
  change({ hint: { stamp, best, heading, words, reason, weighed } });
  say(t("hint.said", { who: by, words: [best, reason, `${heading}.`, words].filter(Boolean).join(" ") }));
}

function mustBeConfirmed(action) {
  const { phase, legal, nil } = state.view;
  if (phase === "blind") return action !== "look" && legal.includes(action);
  return action === "bid:0" && Boolean(nil) && legal.length > 1;
}

// Is the last request not answered yet? After a while a notice says so; before that it may be a double click.
function isBusy() {
  const late = state.busy && performance.now() - askedAt > SOON;
  if (late) notice(t("one_moment"), () => state.busy);
  return state.busy;
}

async function send(what, fields) {
  askedAt = performance.now();
  hush();
  change({ busy: what, confirm: null, lifted: null, peek: null });
  const answer = await attempt(() => ask(what, fields));
  change({ busy: false });
  return answer;
}
