// The scenes of a hand: a nil broken or made, a set, points lost for bags, a bold bid made. Each has its motion, at its
// seat or side and in a banner over the cloth, and its sound. Several are shown one after the other. They take no focus
// and no click, and a banner covers no seat, no bid and no speech bubble. The server says what happened; most of it is
// said to screen readers with the score sheet.

import { el, give, lasting, signed, upper } from "../dom.js";
import { areasOf, costOf, least } from "./places.js";
import { plateOf } from "./seats.js";
import { rowOf } from "./sides.js";
import { play } from "../sound.js";
import { say } from "../speech.js";
import { placeOf, state } from "../state.js";
import { t } from "../texts.js";

const STAYS = 2200; // milliseconds
const STEP = 4; // pixels between places for a banner
const HIDES = [ // what a banner may stand over, from what must be seen to what may wait
  [".plate, .seat .face, .bid-bubble, .bubble", 1000],
  [".panel button", 100],
  [".prompt", 40],
  [".panel > *", 8],
  [".trick .laid, .led", 2],
];
const PIPS = 10; // that fall from the banner about bags
let seen = { key: null, takebacks: 0, scenes: new Set() }; // those of the table on the screen
let waiting = [];
let banner = null; // of the scene that is shown
let end = null; // ends that scene

export function drawScenes() {
  const { view } = state;
  const { key, help: { takebacks } } = view;
  const names = new Set(view.scenes.map(nameOf));
  const isSame = seen.key === key && takebacks <= seen.takebacks;
  const news = isSame ? view.scenes.filter((scene) => !seen.scenes.has(nameOf(scene))) : [];
  if (!isSame) clear();
  seen = { key, takebacks, scenes: names };
  waiting.push(...news);
  if (!end) next();
  else if (hidesAnybody()) settle();
}

const nameOf = ({ hand_number: hand, moves, kind, side, seat }) => [hand, moves, kind, side, seat].join(" ");

function clear() {
  waiting = [];
  end?.();
}

function next() {
  const scene = waiting.shift();
  if (scene) show(scene);
}

function show(scene) {
  const { kind, side, words, points } = scene;
  const isOwn = side === state.view.seats[0].side;
  const isGood = isOwn === (points > 0);
  banner = el(`div.scene.is-${kind}.${isGood ? "good-news" : "bad-news"}`, { "aria-hidden": "true" }, [
    el("p.scene-title", {}, prop(kind), el("b", {}, t(`scene.${kind}`)), el("b.scene-points", {}, signed(points))),
    el("p.scene-words", {}, upper(words)),
  ]);
  const touched = touchedBy(scene);
  document.getElementById("table").append(banner);
  touched.forEach((node) => give(node, "data-scene", kind));
  settle();
  const timer = setTimeout(finish, STAYS);
  end = finish;
  play(kind);
  if (kind === "nil_broken") say(`${upper(words)}.`);

  function finish() {
    clearTimeout(timer);
    banner.remove();
    touched.forEach((node) => give(node, "data-scene", null));
    end = null;
    next();
  }
}

// Where a banner stands

addEventListener("resize", () => end && settle());

// Does the banner stand over what has come meanwhile? Only then is it moved while it is read.
function hidesAnybody() {
  const { x, y, width, height } = banner.getBoundingClientRect();
  return costOf({ x, y }, { width, height }, areasOf(HIDES.slice(0, 1), banner)) > 0;
}

// Move the banner down from the upper edge of the cloth to where it hides least.
function settle() {
  const room = document.querySelector(".trick").getBoundingClientRect();
  const size = { width: banner.offsetWidth, height: banner.offsetHeight };
  const x = room.left + (room.width - size.width) / 2;
  const hidden = areasOf(HIDES, banner);
  const count = Math.max(1, Math.floor((room.height - size.height) / STEP));
  const spots = Array.from({ length: count }, (_, i) => ({ x, y: room.top + (i + 1) * STEP }));
  const best = least(spots, (spot) => costOf(spot, size, hidden));
  lasting(banner, "margin-top", `${best.y - room.top}px`);
}

// The seats of a scene, and the side whose score it changes.
function touchedBy({ kind, side, seat }) {
  const seats = seat === null ? state.view.sides.find((one) => one.side === side).seats : [seat];
  return [...(kind === "bags" ? [] : seats.map((one) => plateOf(placeOf(one)))), rowOf(side).node];
}

// What moves beside the title: a shield, whole or in two halves, or the bags that fall.
function prop(kind) {
  if (kind === "bags") return el("span.pips", {}, Array.from({ length: PIPS }, () => el("i")));
  return kind.startsWith("nil") && el("span.shield", {}, el("i"), el("i"));
}
