// The classic faces, 70 by 98: as many pips as the rank says, and courts that read from both ends.
//
//     ╭─────────╮
//     │7   ♥    │      Corners at the left of the upper half and, upside down, at the right of the lower one.
//     │♥ ♥   ♥  │      Pips lie in three columns; those below the middle are upside down.
//     │    ♥    │
//     │  ♥   ♥  │
//     │         │
//     │  ♥   ♥ ♥│
//     │        L│
//     ╰─────────╯

import { court, jester } from "./courts.js";
import { pip } from "./pips.js";
import { svg } from "../dom.js";

const LEFT = 25.5, MIDDLE = 35, RIGHT = 44.5; // columns
const TOP = 17, BOTTOM = 81;
const CENTRE = 49;
const PAIR = [LEFT, RIGHT];

// Rank → [[rows], columns]: a pip in each of the columns at each of the rows.
const four = [[TOP, BOTTOM], PAIR];
const six = [[TOP, CENTRE, BOTTOM], PAIR];
const eight = [[TOP, 38.3, 59.7, BOTTOM], PAIR];
const inMiddle = (...rows) => [rows, [MIDDLE]];
const LAYOUTS = {
  2: [inMiddle(TOP, BOTTOM)],
  3: [inMiddle(TOP, CENTRE, BOTTOM)],
  4: [four],
  5: [four, inMiddle(CENTRE)],
  6: [six],
  7: [six, inMiddle(33)],
  8: [six, inMiddle(33, 65)],
  9: [eight, inMiddle(CENTRE)],
  T: [eight, inMiddle(27.6, 70.4)],
};

// corner: the index of the upper left corner, with its pips
export function classicFace(rank, suit, corner) {
  const lower = corner.cloneNode(true);
  lower.setAttribute("transform", "rotate(180 35 49)");
  return [corner, ...middleOf(rank, suit), lower];
}

function middleOf(rank, suit) {
  if (!suit) return [svg("g", { transform: "translate(-10 -11)" }, jester())];
  if (rank === "A") return [pip(suit, MIDDLE, CENTRE, suit === "S" ? 42 : 30)];
  if (!(rank in LAYOUTS)) return twoEnds(court(rank, suit, false));
  return LAYOUTS[rank].flatMap(([rows, columns]) => rows.flatMap((y) => columns.map((x) => onePip(suit, x, y))));
}

function onePip(suit, x, y) {
  const node = pip(suit, x, y, 13.5);
  return y > CENTRE ? svg("g", { transform: `rotate(180 ${x} ${y})` }, node) : node;
}

// The upper half of a figure, and the same upside down, in a frame.
function twoEnds(figure) {
  const half = svg("svg", { x: 19.5, y: 11, width: 31, height: 38, viewBox: "26.4 27 37.2 45.6" }, figure);
  return [
    svg("rect", { x: 19, y: 10.5, width: 32, height: 77, rx: 2, class: "court-frame outlined" }),
    half,
    svg("g", { transform: "rotate(180 35 49)" }, half.cloneNode(true)),
    svg("path", { d: "M19 49H51", class: "court-line" }),
  ];
}
