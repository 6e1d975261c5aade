// Speech bubbles at the seats: what characters remark, and the quick phrases of people.
//
// A bubble takes no focus and covers no card: of the places beside its plate it takes the one where it hides least. It
// goes after some seconds. A character's face changes meanwhile. Screen readers hear a remark after the game's own
// lines.

import { el, give, lasting } from "../dom.js";
import { face } from "../art/faces.js";
import { newest } from "../queue.js";
import { areasOf, costOf, least } from "./places.js";
import { plateOf } from "./seats.js";
import { say } from "../speech.js";
import { placeOf, state } from "../state.js";
import { t } from "../texts.js";

const STAYS = 4000; // milliseconds, and more for each letter
const FOR_A_LETTER = 50;
const GAP = 8; // pixels between a plate and its bubble
const INSET = 6; // pixels between a bubble and the rail of the table, or the edge of the window
const HIDES = [ // what a bubble may stand over, from what must be seen to what may wait
  [".trick .slot, .trick .laid, .hand .card, .panel button, .seat .face", 1000],
  [".panel > *, .prompt, .bubble", 40],
  [".sides .side", 20],
  [".scene", 12],
  [".seat, .action", 8],
  ["#bar", 1],
];
let heard = { key: null, words: new Set() }; // the remarks of the table on the screen
let unsaid = []; // remarks that are shown, while later moves of the same news are not
const bubbles = new Map(); // place → {node, isRemark, timer, restore}

export const maySpeak = (view) =>
  Boolean(view && !view.watching && view.seats[0].person && view.seats.slice(1).some((seat) => seat.person));

export function drawBubbles() {
  const { view, settings } = state;
  const first = heard.key !== view.key;
  if (first) {
    heard = { key: view.key, words: new Set() };
    [...bubbles.keys()].forEach(end);
  }
  for (const remark of view.remarks.filter(({ words }) => !heard.words.has(words))) {
    heard.words.add(remark.words);
    if (!first && settings.remarks) showRemark(remark);
  }
  if (view === newest()) unsaid.splice(0).forEach((words) => say(words));
  for (const [place, { node }] of bubbles) settle(node, place);
}

function showRemark(remark) {
  const { seat, mood, words } = remark;
  for (const [place, { isRemark }] of bubbles) if (isRemark) end(place); // never two characters at once
  unsaid.push(lineOf(seat, words));
  show(placeOf(seat), words, mood);
}

// Show what somebody has said, a message of the server.
export function showPhrase({ table, said }) {
  if (!state.view || table !== state.view.key || !state.settings.phrases) return;
  say(lineOf(said.seat, said.words));
  show(placeOf(said.seat), said.words);
}

const lineOf = (seat, words) => t("said", { who: state.view.seats[placeOf(seat)].called, words });

function show(place, words, mood = null) {
  end(place);
  const node = el("p.bubble", { "aria-hidden": "true" }, words);
  document.getElementById("table").append(node);
  fit(node);
  const timer = setTimeout(() => end(place), STAYS + FOR_A_LETTER * words.length);
  bubbles.set(place, { node, isRemark: Boolean(mood), timer, restore: mood ? changeFace(place, mood) : () => {} });
  settle(node, place);
}

// Make a bubble as wide as its longest line, not as wide as it might have become.
function fit(node) {
  const text = document.createRange();
  text.selectNodeContents(node);
  const { paddingLeft, paddingRight } = getComputedStyle(node);
  const width = text.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight);
  lasting(node, "width", `${Math.ceil(width) + 1}px`);
}

function end(place) {
  if (!bubbles.has(place)) return;
  const { node, timer, restore } = bubbles.get(place);
  bubbles.delete(place);
  clearTimeout(timer);
  node.remove();
  restore();
}

// Change a character's face. Returns a function that changes it back, unless somebody else has sat down.
function changeFace(place, mood) {
  const holder = plateOf(place).querySelector(".face");
  const { name } = state.view.seats[place].bot;
  const changed = face(name, false, mood);
  holder.replaceChildren(changed);
  return () => changed.parentNode === holder && holder.replaceChildren(face(name));
}

// Where a bubble stands

addEventListener("resize", () => bubbles.forEach(({ node }, place) => settle(node, place)));

function settle(node, place) {
  const table = document.getElementById("table").getBoundingClientRect();
  const plate = plateOf(place).getBoundingClientRect();
  const size = { width: node.offsetWidth, height: node.offsetHeight };
  const bounds = boundsOf(plate, table);
  const spots = spotsAround(plate, size).map((spot) => ({ ...spot, ...inside(spot, size, bounds) }));
  const hidden = areasOf(HIDES, node);
  const best = least(spots, (spot) => costOf(spot, size, hidden));
  lasting(node, "left", `${best.x - table.left}px`);
  lasting(node, "top", `${best.y - table.top}px`);
  lasting(node, "--tail", `${tailAt(best, size, plate)}px`);
  give(node, "data-at", best.at);
}

function spotsAround(plate, { width, height }) {
  const middle = { x: plate.left + (plate.width - width) / 2, y: plate.top + (plate.height - height) / 2 };
  const above = plate.top - height - GAP;
  const below = plate.bottom + GAP;
  return [
    { at: "right", x: plate.right + GAP, y: middle.y },
    { at: "left", x: plate.left - width - GAP, y: middle.y },
    ...[middle.x, plate.left, plate.right - width].flatMap((x) => [
      { at: "above", x, y: above },
      { at: "below", x, y: below },
    ]),
  ];
}

// The window down to the end of the table; between the rails for a seat that is there.
function boundsOf(plate, { bottom }) {
  const { left, right } = document.querySelector(".felt").getBoundingClientRect();
  const isOn = left <= plate.left && plate.right <= right;
  return { left: isOn ? left : 0, right: isOn ? right : innerWidth, top: 0, bottom };
}

// The spot moved into the bounds.
function inside({ x, y }, { width, height }, { left, top, right, bottom }) {
  return {
    x: Math.max(left + INSET, Math.min(x, right - width - INSET)),
    y: Math.max(top + INSET, Math.min(y, bottom - height - INSET)),
  };
}

// How far along its side the tail of a bubble stands, so that it points to the plate.
function tailAt({ at, x, y }, { width, height }, plate) {
  const across = at === "above" || at === "below";
  const target = across ? plate.left + plate.width / 2 - x : plate.top + plate.height / 2 - y;
  return Math.max(14, Math.min(target, (across ? width : height) - 14));
}
