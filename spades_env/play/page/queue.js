// Views come as fast as bots think; people see them one by one. A finished trick stays for a while.
//
//     receive(view)      takes a view from the server
//     skip()             ends the present wait, after a click or Space
//
// A view becomes one or two frames: what is drawn, and the trick that just ended if it is held. A frame waits for the
// one before it: one time after a bot's move, another after a finished trick. The person's moves do not wait.

import { change, positionOf, state } from "./state.js";
import { t } from "./texts.js";

const SLIDE = 200; // milliseconds that a card slides, added to the time that a trick stays
let frames = [];
let timer = null;
let shownAt = 0;
let latest = null; // the view received last
let atEnd = () => {}; // called when the view received last is on the screen

export function onShown(f) {
  atEnd = f;
}

export function receive(view) {
  const before = latest;
  latest = view;
  if (!before || !follows(before, view)) {
    clear();
    show({ view, held: null, still: true });
  } else if (isNews(before, view)) {
    const more = framesOf(before, view);
    frames = isOwn(before, view) ? more : [...frames, ...more];
    if (frames === more) next();
    else run();
  } else {
    replace(before, view);
  }
}

// End the present wait. Returns whether there was one.
export function skip() {
  if (!frames.length) return false;
  next();
  return true;
}

// The view received last, which may not be on the screen yet.
export const newest = () => latest;

// Drop all that was received.
export function forget() {
  clear();
  latest = null;
  change({ peek: null });
}

function framesOf(before, view) {
  const held = endedTrick(before, view);
  if (!held) return [{ view, held: null }];
  const ended = view.hand_number > before.hand_number ? finished(before) : view;
  return [{ view: ended, held }, { view, held: null }];
}

// The last hand as it looks while its last trick stays: nobody is to move.
function finished(view) {
  const can = { ...view.can, hint: false, claim: false };
  return { ...view, your_turn: false, turn: null, prompt: t("hand_over"), legal: [], refused: {}, lanes: [], can };
}

// The trick that was finished between two views, or null.
function endedTrick(before, view) {
  const later = view.hand_number > before.hand_number;
  const tricks = later ? (view.previous?.tricks ?? []) : view.tricks;
  return tricks.length > before.tricks.length ? tricks.at(-1) : null;
}

// Does one view follow from the other by moves?
function follows(before, view) {
  if (before.key !== view.key || before.seat !== view.seat) return false;
  if (view.help.takebacks !== before.help.takebacks) return false;
  const hands = view.hand_number - before.hand_number;
  return hands === 1 || (hands === 0 && view.events.length >= before.events.length);
}

// Was a move made, or is it the same position in another version?
function isNews(before, view) {
  return view.hand_number > before.hand_number || view.events.length > before.events.length;
}

// Was the first new move the person's?
function isOwn(before, view) {
  if (view.hand_number > before.hand_number) return before.your_turn;
  const event = view.events[before.events.length];
  return event.seat === view.seat && event.by === "person";
}

function replace(before, view) {
  for (const frame of frames) if (frame.view === before) frame.view = view;
  const { held, lifted, confirm } = state;
  if (state.view === before) show({ view, held, still: true }, { lifted, confirm });
}

function run() {
  if (timer !== null || !frames.length) return;
  const wait = shownAt + restOf(state) - performance.now();
  if (wait !== Infinity) timer = setTimeout(next, Math.max(0, wait));
}

// How long the frame on the screen stays there, in milliseconds.
function restOf({ held, settings }) {
  if (!held) return settings.botPause * 1000;
  return settings.tapToClear ? Infinity : settings.trickStay * 1000 + (settings.trickStay ? SLIDE : 0);
}

function next() {
  stop();
  const frame = frames.shift();
  if (frame) show(frame);
  run();
}

function show({ view, held, still = false }, chosen = { lifted: null, confirm: null }) {
  shownAt = performance.now();
  const hint = state.hint?.stamp === positionOf(view) ? state.hint : null; // an undo can lead back to its stamp
  change({ view, held, still, key: view.key, lobby: null, hint, ...chosen });
  if (view === latest) atEnd(view);
}

function clear() {
  stop();
  frames = [];
}

function stop() {
  clearTimeout(timer);
  timer = null;
}
