// The four suits as shapes in a square of 100.

import { svg } from "../dom.js";

const SHAPES = {
  S:
    "M50 4C61 24 93 41 93 63C93 77 82 85 72 85C64 85 57 81 53.5 74C54.5 85 58 92 66 96L34 96C42 92 45.5 85 46.5 74" +
    "C43 81 36 85 28 85C18 85 7 77 7 63C7 41 39 24 50 4Z",
  H: "M50 94C20 66 5 49 5 30C5 15 16 6 29 6C39 6 46 12 50 21C54 12 61 6 71 6C84 6 95 15 95 30C95 49 80 66 50 94Z",
  D: "M50 3C59 22 72 39 87 50C72 61 59 78 50 97C41 78 28 61 13 50C28 39 41 22 50 3Z",
  C:
    "M50 5A21 21 0 1 1 49.9 5ZM27 37A21 21 0 1 1 26.9 37ZM73 37A21 21 0 1 1 72.9 37Z" +
    "M40 40L60 40L60 62L55 62C55 80 58 91 66 96L34 96C42 91 45 80 45 62L40 62Z",
};

// A suit's shape with its middle at x, y.
export function pip(suit, x, y, size, attributes = {}) {
  const scale = size / 100;
  const place = `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`;
  return svg("path", { d: SHAPES[suit], transform: place, fill: "currentColor", ...attributes });
}
