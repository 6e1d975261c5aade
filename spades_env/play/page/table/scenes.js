// The scenes of a hand: a nil broken or made, a set, points lost for bags, a bold bid made. Each has its motion, at its
// seat or side and in a banner over the cloth, and its sound. Several are shown one after the other. They take no focus
// and no click. The server says what happened; most of it is said to screen readers with the score sheet.

import { el, give, signed, upper } from "../dom.js";
import { plateOf } from "./seats.js";
import { rowOf } from "./sides.js";
import { play } from "../sound.js";
import { say } from "../speech.js";
import { placeOf, state } from "../state.js";
import { t } from "../texts.js";

const STAYS = 2200; // milliseconds
const PIPS = 10; // that fall from the banner about bags
let seen = { key: null, takebacks: 0, scenes: new Set() }; // those of the table on the screen
let waiting = [];
let end = null; // ends the scene that is shown

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
  const banner = el(`div.scene.is-${kind}.${isGood ? "good-news" : "bad-news"}`, { "aria-hidden": "true" }, [
    el("p.scene-title", {}, prop(kind), el("b", {}, t(`scene.${kind}`)), el("b.scene-points", {}, signed(points))),
    el("p.scene-words", {}, upper(words)),
  ]);
  const touched = touchedBy(scene);
  document.getElementById("table").append(banner);
  touched.forEach((node) => give(node, "data-scene", kind));
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
