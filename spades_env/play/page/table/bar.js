// The bar at the top: progress, clock and buttons. On a phone the buttons are at the bottom.

import { hint, takeBack } from "../moves.js";
import { el, give, mark, picture, put, svg, upper } from "../dom.js";
import { knownTricks, hintNow, state } from "../state.js";
import { peek } from "./trick.js";
import { buildWatchers, drawWatchers } from "./watching.js";
import { maySpeak } from "./bubbles.js";
import { t } from "../texts.js";

const HOLD = 400; // milliseconds after which a button counts as held
const ICONS = {
  undo: "M8 4L3 9L8 14M3 9H13A5 5 0 0 1 13 19H8",
  hint: 
    "M8 18H14M9 21H13M11 2A6.5 6.5 0 0 0 7 13.5C7.8 14.2 8 15 8 15.5H14C14 15 14.2 14.2 15 13.5" +
    "A6.5 6.5 0 0 0 11 2Z",
  last: "M4 6H13V19H4ZM8 3H17V16",
  scores: "M4 20V11M9 20V5M14 20V14M19 20V8",
  say: "M4 4H18V14H10L6 18V14H4Z",
  menu: "M3 6H19M3 11H19M3 16H19",
  play: "M11 3V19M3 11H19",
};
const parts = {};
let clockTimer = null;
let clockShown = { clock: null, began: 0 }; // the clock of a view, and when it was first shown

// The bar opens dialogs but does not know them.
export function buildBar({ openMenu, openNewGame, openPhrases, openScores }) {
  parts.title = el("h1", {}, t("page.title"));
  parts.progress = el("p.progress");
  parts.clock = el("p.clock", { role: "timer", hidden: true });
  parts.watchers = buildWatchers();
  document.getElementById("bar").append(parts.title, parts.progress, parts.clock, parts.watchers);
  const actions = document.getElementById("actions");
  give(actions, "aria-label", t("page.actions"));
  parts.undo = action("undo", t("undo"), "Z", () => takeBack());
  parts.hint = action("hint", t("hint"), "A", () => hint());
  parts.last = action("last", t("last_trick"), "R", () => {});
  parts.scores = action("scores", t("scores"), "P", () => openScores());
  parts.say = action("say", t("say"), "Q", () => openPhrases());
  parts.play = action("play", t("new_game"), null, () => openNewGame());
  parts.menu = action("menu", t("more"), null, () => openMenu());
  actions.append(parts.undo, parts.hint, parts.last, parts.scores, parts.say, parts.play, parts.menu);
  holdable(parts.last);
}

export function drawBar() {
  const { view, hello } = state;
  put(parts.progress, view ? upper(view.progress) : "");
  for (const name of ["undo", "hint", "last", "scores"]) parts[name].hidden = !view;
  parts.say.hidden = !maySpeak(view);
  drawWatchers(parts.watchers);
  parts.play.hidden = !hello || hello.guest;
  if (!view) return drawClock(null);
  enable(parts.undo, view.can.takeback);
  enable(parts.hint, view.can.hint);
  enable(parts.last, knownTricks().length);
  mark(parts.hint, "on", hintNow() || state.busy === "hint");
  mark(parts.last, "on", state.peek !== null);
  give(parts.last, "aria-pressed", String(state.peek !== null));
  return drawClock(view);
}

// A button that can do nothing now keeps its place and its focus, and tells screen readers.
function enable(node, on) {
  give(node, "aria-disabled", on ? null : "true");
}

function action(name, words, key, onclick) {
  const icon = picture(22, 22, svg("path", { d: ICONS[name] }));
  const [first, ...rest] = words.split(" "); // a phone shows the first word
  const label = el("span", {}, first, rest.length ? el("span.rest", {}, ` ${rest.join(" ")}`) : null);
  const title = key && `${words} (${key})`;
  return el(`button.action.${name}`, { type: "button", onclick, title, "aria-label": words }, icon, label);
}

// A short press shows the trick until the next press, a long press only while it lasts.
function holdable(node) {
  let since = 0;
  node.addEventListener("pointerdown", () => {
    since = performance.now();
  });
  node.addEventListener("click", () => {
    if (performance.now() - since > HOLD && since && state.peek !== null) peek(false);
    else peek();
    since = 0;
  });
}

// Seconds for the move, then those for the game. While the person is to move, the clock runs between views as it does
// on the server; drawing again does not reset it.
function drawClock(view) {
  clearInterval(clockTimer);
  const left = view ? [view.clock.move, view.clock.sitting].filter((seconds) => seconds !== null) : [];
  parts.clock.hidden = !left.length;
  if (parts.clock.hidden) return;
  if (clockShown.clock !== view.clock) clockShown = { clock: view.clock, began: performance.now() };
  const { began } = clockShown;
  const tick = () => {
    const gone = view.your_turn ? (performance.now() - began) / 1000 : 0;
    const seconds = left.map((one) => Math.max(0, Math.ceil(one - gone)));
    put(parts.clock, seconds.map(minutes).join(" · "));
    mark(parts.clock, "short", Math.min(...seconds) <= 30);
  };
  tick();
  if (view.your_turn) clockTimer = setInterval(tick, 500);
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
