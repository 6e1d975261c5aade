// Jack, queen and king, a bust for each in the suit's colour, and the jester of the jokers.
// All are drawn on the lower right of a card, 24…66 by 26…94, so that the index stays free.

import { svg } from "../dom.js";
import { pip } from "./pips.js";

const GOLD = "#e3b341";
const DARK_GOLD = "#a87b1c";
const SKIN = "#f2cfa9";
const LINE = "#3b2f2a";
const HAIR = { S: "#4a3728", H: "#c98a3a", D: "#8f4a2b", C: "#6b6560" };

export function court(rank, suit, framed = true) {
  const hair = HAIR[suit];
  const parts = { J: jack, Q: queen, K: king }[rank](suit, hair);
  return svg("g", {}, framed && frame(), ...parts);
}

export function jester() {
  return svg("g", {}, frame(), robe("M45 68L28 94L62 94Z"), neck(), head(), eyes(), smile(), [
    path("M34 47C22 44 24 60 30 62C31 56 34 53 37 51Z", "currentColor"),
    path("M56 47C68 44 66 60 60 62C59 56 56 53 53 51Z", GOLD),
    path("M34 49C34 30 42 27 45 32C48 27 56 30 56 49C50 44 40 44 34 49Z", "currentColor"),
    path("M45 32C48 27 56 30 56 49C52 46 49 45 45 45Z", GOLD),
    ...[[30, 63], [60, 63], [45, 30]].map(([x, y]) => dot(x, y, 2.6, DARK_GOLD)),
    path("M30 80L35 73L40 80L45 73L50 80L55 73L60 80L62 94L28 94Z", GOLD),
    path("M36 72L40 80L45 73L50 80L54 72L45 67Z", "currentColor"),
  ]);
}

function king(suit, hair) {
  return [
    path("M33 52C31 62 33 70 37 73L53 73C57 70 59 62 57 52Z", hair),
    robe("M45 70C36 70 29 75 26 94L64 94C61 75 54 70 45 70Z"),
    path("M38 70L45 94L52 70C50 75 40 75 38 70Z", "#fff8ea"),
    ...[[43, 80], [47, 84], [44, 88]].map(([x, y]) => dot(x, y, 0.8, LINE)),
    head(),
    path("M35.5 57C35 72 41 78 45 79C49 78 55 72 54.5 57C52 62 49 62.5 45 62.5C41 62.5 38 62 35.5 57Z", hair),
    path("M41 61.5C43 60 44.3 60.6 45 61.2C45.7 60.6 47 60 49 61.5C47 63.4 43 63.4 41 61.5Z", "#7c4334"),
    eyes(),
    path("M34 48L31 33L38.5 40L45 30L51.5 40L59 33L56 48C49 45.5 41 45.5 34 48Z", GOLD, DARK_GOLD),
    ...[[31, 33], [45, 30], [59, 33]].map(([x, y]) => dot(x, y, 2, "currentColor")),
    band("M34.2 49.5C41 46.8 49 46.8 55.8 49.5"),
    pip(suit, 33, 86, 10, { fill: GOLD }),
    pip(suit, 57, 86, 10, { fill: GOLD }),
  ];
}

function queen(suit, hair) {
  return [
    path("M45 39C31 39 29 56 31 74C33 80 38 79 40 76L50 76C52 79 57 80 59 74C61 56 59 39 45 39Z", hair),
    robe("M45 72C37 72 30 77 27 94L63 94C60 77 53 72 45 72Z"),
    neck(),
    path("M38.5 73C41 82 49 82 51.5 73L54 74C50 88 40 88 36 74Z", GOLD),
    head(),
    path("M35 55C35 45 40 43 45 43C50 43 55 45 55 55C52 51 49 48 45 48C41 48 38 51 35 55Z", hair),
    eyes(),
    path(
      "M42.5 62.5C43.5 61.6 44.5 61.9 45 62.3C45.5 61.9 46.5 61.6 47.5 62.5C46.5 64.5 43.5 64.5 42.5 62.5Z",
      "#b8433f",
    ),
    path(
      "M36 45.5L34.5 36L40 40.5L45 33.5L50 40.5L55.5 36L54 45.5C48 42.5 42 42.5 36 45.5Z",
      GOLD,
      DARK_GOLD,
    ),
    dot(45, 34, 1.8, "currentColor"),
    dot(34.5, 36, 1.4, "currentColor"),
    dot(55.5, 36, 1.4, "currentColor"),
    pip(suit, 45, 83.5, 8, { fill: "#fff8ea" }),
  ];
}

function jack(suit, hair) {
  return [
    path("M34 46C32 56 33 66 36 68L54 68C57 66 58 56 56 46Z", hair),
    robe("M45 71C36 71 30 76 27 94L63 94C60 76 54 71 45 71Z"),
    path("M41 94L41 72L49 72L49 94Z", GOLD),
    pip(suit, 45, 85, 9, { class: "on-gold" }),
    neck(),
    path("M37 70C40 75 50 75 53 70L55 74C50 79 40 79 35 74Z", "#fff8ea"),
    head(),
    path("M35 54C35 48 38 46 45 46C52 46 55 48 55 54C52 51 50 50 45 50C40 50 38 51 35 54Z", hair),
    eyes(),
    smile(),
    path("M33 48C32 38 38 35 46 35C54 35 59 39 57 47C50 43.5 41 44 33 48Z", "currentColor"),
    band("M33.5 47.8C41 44 50 43.6 57 46.8"),
    path("M53 42C57 30 63 30 65 32C64 38 60 42 54 44Z", GOLD, DARK_GOLD),
  ];
}

const frame = () => svg("rect", { x: 25.5, y: 27, width: 40, height: 67, rx: 4, class: "court-frame" });
const robe = (d) => path(d, "currentColor");
const neck = () => path("M41 64L49 64L49 74C47 76.5 43 76.5 41 74Z", "#e2b68c");
const head = () => path(
  "M35.5 53C35.5 46 39 43 45 43C51 43 54.5 46 54.5 53C54.5 62 50 69 45 69C40 69 35.5 62 35.5 53Z",
  SKIN,
);
const smile = () => stroke("M41.5 62.5C43.5 64.6 46.5 64.6 48.5 62.5", "#a5483f");
const band = (d) => stroke(d, DARK_GOLD, 1.6);

function eyes() {
  const brows = "M37.8 51.6C39 50.6 41 50.6 42.2 51.4M47.8 51.4C49 50.6 51 50.6 52.2 51.6";
  return svg("g", {}, dot(40.2, 54.3, 1.1, LINE), dot(49.8, 54.3, 1.1, LINE), [
    stroke(brows, LINE, 0.9),
    stroke("M45 53.5L44.2 58.6L46 59", "#c9966a", 0.9),
  ]);
}

function path(d, fill, line = null) {
  return svg("path", line ? { d, fill, stroke: line, "stroke-width": 0.8, "stroke-linejoin": "round" } : { d, fill });
}

const stroke = (d, colour, width = 1) =>
  svg("path", { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round" });

const dot = (cx, cy, r, fill) => svg("circle", { cx, cy, r, fill });
