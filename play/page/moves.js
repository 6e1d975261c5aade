// The person's moves at the table. The server decides; a refusal is shown in its words.

import { actionText, cardWords } from "./art/cards.js";
import { ask } from "./connection.js";
import { newest } from "./queue.js";
import { hush, notice, noticeHere, say } from "./speech.js";
import { change, hintNow, positionOf, state } from "./state.js";

const SOON = 1000; // milliseconds within which the server usually answers
let askedAt = 0; // when the server was asked last

// Make a move; nil and blind nil must be confirmed first.
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
  else noticeHere(`Not yet: ${view.prompt}`);
}

export function takeBack(moves = 1) {
  const view = newest();
  if (!view?.can.takeback) notice(view?.outcome ? "The game is over" : "There is no move of yours to take back");
  else send("takeback", { moves, version: view.version });
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
  if (!view?.can.hint) {
    noticeHere(view ? `No advice now: ${view.prompt}` : "There is no table");
    return;
  }
  const stamp = positionOf(view);
  const answer = await send("hint", { version: view.version });
  if (!answer) return;
  const { by, heading, words } = answer;
  const weighed = Object.fromEntries(answer.hint.map((one) => [one.action, one]));
  change({ hint: { stamp, by, heading, words, weighed } });
  say(`Advice from ${by}. ${heading}. ${words}`);
}

// An action as it is said.
export function actionWords(action) {
  return /^(bid:|blind|look)/.test(action) ? actionText(action).replace(/^(\d)/, "bid $1") : cardWords(action);
}

function mustBeConfirmed(action) {
  return action === "blind" || (action === "bid:0" && Boolean(state.view.nil));
}

// Is the last request not answered yet? After a while a notice says so; before that it may be a double click.
function isBusy() {
  const late = state.busy && performance.now() - askedAt > SOON;
  if (late) notice("One moment: the server has not answered yet", () => state.busy);
  return state.busy;
}

async function send(what, fields) {
  askedAt = performance.now();
  hush();
  change({ busy: true, confirm: null, lifted: null, peek: null });
  try {
    return await ask(what, fields);
  } catch (error) {
    notice(error.message);
    return null;
  } finally {
    change({ busy: false });
  }
}
