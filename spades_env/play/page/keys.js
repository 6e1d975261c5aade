// The keyboard. Letter keys work unless a text is typed or a dialog is open; dialogs/help.js lists them.

import { dialogKeys } from "./dialogs/dialog.js";
import { act, claim, hint, takeBack } from "./moves.js";
import { skipDeal } from "./table/deal.js";
import { choose } from "./table/sound_offer.js";
import { choiceNow } from "./table/focus.js";
import { moveCursor, moveSuit, moveToEnd, moveToSuit } from "./table/hand.js";
import { openPhrases } from "./dialogs/people/phrases.js";
import { openHelp } from "./dialogs/help.js";
import { openScores } from "./dialogs/game/scores.js";
import { skip } from "./queue.js";
import { seatWords } from "./table/seats.js";
import { notice, noticeHere, turnWords } from "./speech.js";
import { FOR_BOTH, change, state } from "./state.js";
import { peek, peekBy } from "./table/trick.js";
import { t } from "./texts.js";

const HOLD = 400; // milliseconds after which a key counts as held
let peekedAt = 0;
let swallowed = false; // was the space used to end a wait, so that it must not press a button?

const ACTIONS = {
  ArrowLeft: () => sideways(-1), j: () => sideways(-1),
  ArrowRight: () => sideways(1), l: () => sideways(1),
  ArrowUp: () => moveSuit(-1), i: () => moveSuit(-1),
  ArrowDown: () => moveSuit(1), k: () => moveSuit(1),
  s: () => moveToSuit("S"), c: () => moveToSuit("C"), d: () => moveToSuit("D"), h: () => moveToSuit("H"),
  u: () => moveToEnd(true), o: () => moveToEnd(false), w: () => takeRest(),
  a: () => hint(), z: () => takeBack(), Backspace: () => takeBack(), p: () => openScores(), "?": () => openHelp(),
  t: () => noticeHere(turnWords(state.view, state.held ?? state.view.trick)),
  v: () => notice(state.view.seats.map((seat) => seatWords(seat, state.view)).join("; ")),
  m: () => turnSound(),
  q: () => openPhrases(),
  r: () => beginPeek(), R: () => earlier(),
  Escape: () => change({ peek: null, confirm: null, lifted: null, hint: null }),
  Enter: () => enter(),
};

export function listenToKeys() {
  document.addEventListener("keydown", down);
  document.addEventListener("keyup", up);
}

function down(event) {
  const typing = event.target.closest("input[type=text], textarea, select");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (state.dialog) {
    if (dialogKeys()?.(event)) event.preventDefault();
    return;
  }
  if (!state.view) return;
  if (event.key === " ") return void space(event);
  if (isDigit(event) && (!state.confirm || state.confirm === FOR_BOTH)) return void bid(event);
  const key = event.key.length === 1 && event.key !== "R" ? event.key.toLowerCase() : event.key;
  if (key === "Enter" && event.repeat) return void event.preventDefault(); // a long press confirms nothing
  if (key === "Enter" && event.target !== document.body && event.target.id !== "table") return;
  if (event.repeat && !key.startsWith("Arrow")) return;
  if (!(key in ACTIONS)) return;
  event.preventDefault();
  ACTIONS[key]();
}

function up(event) {
  if (event.key === " " && swallowed) {
    event.preventDefault();
    swallowed = false;
  }
  if (event.key === "r" && peekedAt && performance.now() - peekedAt > HOLD) peek(false);
  if (event.key === "r") peekedAt = 0;
}

function space(event) {
  if (!skipDeal() && !skip()) return;
  swallowed = true;
  event.preventDefault();
}

// A digit, also on the number pad while Num Lock is on.
function isDigit({ code, key }) {
  return /^Digit\d$/.test(code) || (/^Numpad\d$/.test(code) && /^\d$/.test(key));
}

// With Shift it is ten more, unless the keyboard needs Shift for the digit itself (AZERTY).
function bid(event) {
  const more = event.shiftKey && event.code.startsWith("Digit") && !/^\d$/.test(event.key) ? 10 : 0;
  const number = Number(event.code.at(-1)) + more;
  const action = `bid:${number}`;
  const { legal, phase, prompt, your_turn: isMine } = state.view;
  if (legal.includes(action)) act(action);
  else if (isMine && phase === "bid") noticeHere(prompt);
  event.preventDefault();
}

// Left and right go to earlier and later tricks while one is shown, to other bids from a bid, else to other cards.
function sideways(steps) {
  if (state.peek !== null) return peekBy(steps);
  const bids = document.activeElement?.closest(".panel") && [...document.querySelectorAll(".panel button")];
  if (!bids) return moveCursor(steps);
  const at = bids.indexOf(document.activeElement);
  return bids[(at + steps + bids.length) % bids.length].focus();
}

// Go from the table to the button that answers what is asked, else to the cards.
function enter() {
  const choice = choiceNow();
  if (choice) choice.focus();
  else moveCursor(0);
}

function turnSound() {
  choose(!state.settings.sound);
  notice(t(state.settings.sound ? "sound.on" : "sound.off"));
}

function takeRest() {
  if (state.view.can.claim) claim();
  else noticeHere(t("error.claim"));
}

function beginPeek() {
  if (state.peek === null) peekedAt = performance.now();
  if (!peek()) notice(t("no_trick"));
}

function earlier() {
  if (!peekBy(-1)) notice(t("no_trick"));
}
