// The faces of people: animals, so that nobody is taken for a character. Each is drawn in a square of 100, of which a
// circle of 88 in the middle is seen. The server knows their names (play/table/company/faces.py).

import { svg } from "../dom.js";
import { dot, line, path } from "./face_parts.js";

const INK = "#2b2320";

const oval = (cx, cy, rx, ry, fill, more = {}) => svg("ellipse", { cx, cy, rx, ry, fill, ...more });
const mirrored = (...shapes) => svg("g", { transform: "translate(100 0) scale(-1 1)" }, shapes);
const both = (draw) => [...draw(), mirrored(...draw())];
const eyes = (x, y, r = 3.6) => both(() => [dot(x, y, r, INK), dot(x + r * 0.3, y - r * 0.35, r * 0.32, "#fff")]);
const smile = (y, w = 6) => line(`M50 ${y}v4M${50 - w} ${y + 3}c0 6 ${w} 6 ${w} 1c0 5 ${w} 5 ${w} -1`, INK, 2);

export const ANIMALS = {
  fox: ["#bcd8d0", () => [
    ...both(() => [path("M21 14L47 34L24 54Z", "#c9652a"), path("M26 24L40 35L27 46Z", "#5b2d1c")]),
    path("M18 46C28 34 40 31 50 31C60 31 72 34 82 46C78 62 62 78 50 84C38 78 22 62 18 46Z", "#dd7a30"),
    ...both(() => [path("M18 46C30 50 42 54 46 66C48 74 49 80 50 84C38 78 22 62 18 46Z", "#fff5e8")]),
    ...eyes(37, 52), oval(50, 80, 5, 4, INK),
  ]],
  owl: ["#cfd9ee", () => [
    ...both(() => [path("M20 18C28 20 38 26 46 34L24 46Z", "#6b4a30")]),
    oval(50, 58, 31, 38, "#85603f"), oval(50, 82, 19, 20, "#d8b98a"),
    ...both(() => [
      dot(36.5, 48, 14.5, "#f4e6c9"), dot(37.5, 48, 8.6, "#f2b632"), dot(38, 48, 5.2, INK),
      dot(39.6, 46.2, 1.7, "#fff"),
    ]),
    path("M50 54L44.5 60C46 67 48 70 50 72C52 70 54 67 55.5 60Z", "#e08a2b"),
    line("M40 80C42 83 44 83 46 80M54 80C56 83 58 83 60 80M47 87C49 90 51 90 53 87", "#85603f", 2),
  ]],
  bear: ["#c7d8a8", () => [
    ...both(() => [dot(27, 29, 11.5, "#6f4a2f"), dot(27.5, 30, 6, "#b58a63")]),
    dot(50, 53, 30, "#7d5537"), oval(50, 65, 15, 12, "#dcb98f"), oval(50, 59, 5.4, 4, INK), ...eyes(38.5, 48),
    smile(62),
  ]],
  cat: ["#f3c9bd", () => [
    ...both(() => [
      path("M21 13C30 18 40 26 46 34L22 52Z", "#4d5763"), path("M26 24C31 27 36 31 39 35L27 43Z", "#e79a9a"),
    ]),
    oval(50, 55, 30, 26, "#5d6875"), path("M45 30H55L52 42H48Z", "#414a55"),
    ...both(() => [
      oval(37.5, 52, 6.6, 7, "#c9e07f"), oval(37.5, 52, 2.1, 6.2, INK),
      line("M31 66L13 63M31 69L14 72", "#eef1f4", 1.3),
    ]),
    oval(50, 67, 10, 8, "#e9ecef"), path("M46 61.5H54L50 66Z", "#d96a72"), smile(65, 5),
  ]],
  hare: ["#d5c6ea", () => [
    ...both(() => [
      oval(37, 24, 8.5, 24, "#b99a7b", { transform: "rotate(-9 37 40)" }),
      oval(37, 26, 4.4, 18, "#eeb3aa", { transform: "rotate(-9 37 40)" }),
    ]),
    oval(50, 60, 25, 25, "#c9ab8b"), oval(50, 71, 12, 10, "#f6eadb"), ...eyes(39, 56, 3.8),
    path("M46 64H54L50 68Z", "#d96a72"), path("M46.4 73H53.6V79.5H46.4Z", "#fff", { stroke: "#b99a7b" }), smile(67, 5),
    ...both(() => [dot(33, 67, 4, "#e2706a", { opacity: 0.35 })]),
  ]],
  frog: ["#f5dc86", () => [
    ...both(() => [dot(32, 33, 13, "#5c9c48")]), oval(50, 57, 34, 26, "#6db255"), oval(50, 70, 25, 12, "#c9e3a0"),
    ...both(() => [
      dot(32, 32, 9, "#fffdf2"), dot(33, 33, 5, INK), dot(34.6, 31, 1.6, "#fff"), dot(46, 53, 1.3, "#3d6b30"),
      dot(26, 60, 4.4, "#e2706a", { opacity: 0.4 }),
    ]),
    line("M27 61C36 71 64 71 73 61", "#35602a", 2.6),
  ]],
  panda: ["#b4c9ea", () => [
    ...both(() => [dot(26, 28, 12, "#2a2c31")]), dot(50, 53, 30, "#fbf8f2"),
    ...both(() => [
      oval(37.5, 51, 7.4, 9.4, "#2a2c31", { transform: "rotate(24 37.5 51)" }), dot(39, 50, 3.3, "#fff"),
      dot(39.6, 50.2, 2.1, INK),
    ]),
    oval(50, 62, 5, 3.6, INK), smile(64),
  ]],
  lion: ["#bfe0ee", () => [
    ...Array.from({ length: 14 }, (_, i) => dot(
      50 + 30 * Math.cos(i * Math.PI / 7), 52 + 30 * Math.sin(i * Math.PI / 7), 10.5, i % 2 ? "#a45a1d" : "#b86a26",
    )),
    ...both(() => [dot(31, 31, 7, "#e3ab48"), dot(31.4, 31.6, 3.6, "#a45a1d")]),
    dot(50, 53, 26, "#ecb957"), oval(50, 65, 12, 9.5, "#fbe8c3"), ...eyes(39.5, 49),
    path("M44 58H56L50 64Z", "#7d3b24"), smile(62),
  ]],
  penguin: ["#a5d3cf", () => [
    oval(50, 62, 33, 44, "#27303f"),
    ...both(() => [oval(39.5, 52, 13, 15, "#fdfdf8")]), oval(50, 80, 22, 24, "#fdfdf8"), ...eyes(39, 50),
    path("M43 57C47 54.5 53 54.5 57 57C55 62 52 64.5 50 65C48 64.5 45 62 43 57Z", "#ee9a2e"),
    ...both(() => [dot(32.5, 60, 3.8, "#e2706a", { opacity: 0.4 })]),
  ]],
  dog: ["#e9cf9c", () => [
    oval(50, 54, 27, 29, "#f3e2c6"), path("M50 26C62 26 72 34 74 46C70 56 62 58 56 52C53 44 51 34 50 26Z", "#9a6a43"),
    ...both(() => [path("M32 29C16 27 11 50 19 68C28 69 33 56 34 42Z", "#7d5334")]),
    ...eyes(40, 50), oval(50, 66, 13, 11, "#fffaf0"), oval(50, 60, 6, 4.5, INK), smile(63),
    path("M46.5 72C46.5 80 53.5 80 53.5 72Z", "#e4707a"),
  ]],
};
