// What faces are made of, in a square of 100: a head between x 32…68 and y 24…72 on shoulders.
// Every part takes its colours; `character` in faces.js lays the parts on each other.

import { svg } from "../dom.js";

const INK = "#2b2320";

export const path = (d, fill, more = {}) => svg("path", { d, fill, ...more });
export const dot = (cx, cy, r, fill, more = {}) => svg("circle", { cx, cy, r, fill, ...more });
export const line = (d, colour = INK, width = 1.8) =>
  svg(
    "path",
    { d, fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" },
  );

const HEAD = "M32 45C32 31 39 24 50 24C61 24 68 31 68 45C68 61 59 73 50 73C41 73 32 61 32 45Z";
const ROUND = "M31 46C31 31 38 24 50 24C62 24 69 31 69 46C70 62 61 72 50 72C39 72 30 62 31 46Z";

export function head(skin, shade, round) {
  return [
    path("M42 62L58 62L59 84C54 90 46 90 41 84Z", shade),
    dot(31.5, 49, 4.6, skin),
    dot(68.5, 49, 4.6, skin),
    path(round ? ROUND : HEAD, skin),
  ];
}

export function clothes(colour, collar) {
  const body = path("M10 104C11 88 24 84 40 80C44 88 56 88 60 80C76 84 89 88 90 104Z", colour);
  return { plain: [body], shirt: [body, path("M40 79L50 91L60 79L66 84L55 97L50 91L45 97L34 84Z", "#fffaf0")],
    roll: [body, path("M39 74C44 79 56 79 61 74L62 86C56 91 44 91 38 86Z", colour, { stroke: "#00000030" })],
    pearls: [body, ...[38, 44, 50, 56, 62].map((x, i) => dot(x, [83, 86.5, 88, 86.5, 83][i], 2.2, "#fff6e6"))],
    bow: [body, path("M50 87L39 81V94ZM50 87L61 81V94Z", "#b3392f"), dot(50, 87, 2.6, "#8d2820")],
    stripes: [
      body,
      line("M20 92C34 86 40 90 50 90C60 90 66 86 80 92M14 99C32 94 40 97 50 97C60 97 68 94 86 99", "#fffaf0", 3),
    ],
    vest: [body, path("M38 80L50 104H62L60 80C56 88 44 88 40 80Z", "#fffaf0"), dot(50, 96, 1.6, INK)],
  }[collar];
}

export const EYES = {
  open: () => [
    dot(42.5, 48, 2.3, INK),
    dot(57.5, 48, 2.3, INK),
    dot(43.3, 47.2, 0.8, "#fff"),
    dot(58.3, 47.2, 0.8, "#fff"),
  ],
  happy: () => [line("M39 49C41 46 44 46 46 49M54 49C56 46 59 46 61 49")],
  dreamy: () => [
    line("M39 47.5C41 50 44 50 46 47.5M54 47.5C56 50 59 50 61 47.5"),
    line("M38.8 47.5L37.5 49M61.2 47.5L62.5 49", INK, 1.2),
  ],
  wink: () => [dot(42.5, 48, 2.3, INK), dot(43.3, 47.2, 0.8, "#fff"), line("M54 48.5C56 46.5 59 46.5 61 48.5")],
  keen: () => [
    dot(42.5, 48.5, 2.2, INK),
    dot(57.5, 48.5, 2.2, INK),
    line("M38.5 46.8L46 46.2M54 46.2L61.5 46.8", INK, 1.6),
  ],
  lashes: () => [...EYES.open(), line("M39.5 46.5L37.5 45.2M60.5 46.5L62.5 45.2", INK, 1.4)],
  wide: () => [
    dot(42.5, 47.5, 4.4, "#fff"),
    dot(57.5, 47.5, 4.4, "#fff"),
    dot(42.5, 47.5, 2.3, INK),
    dot(57.5, 47.5, 2.3, INK),
    dot(43.3, 46.7, 0.8, "#fff"),
    dot(58.3, 46.7, 0.8, "#fff"),
  ],
  side: () => [
    dot(42.5, 48, 3.6, "#fff"),
    dot(57.5, 48, 3.6, "#fff"),
    dot(44.2, 47.6, 2.1, INK),
    dot(59.2, 47.6, 2.1, INK),
  ],
};

export const BROWS = {
  calm: (hair) => line("M38 42C40.5 40.4 44 40.4 46 41.5M54 41.5C56 40.4 59.5 40.4 62 42", hair),
  up: (hair) => line("M38 40.5C40.5 38 44 38 46 39.5M54 39.5C56 38 59.5 38 62 40.5", hair),
  one: (hair) => line("M38 42.5L46 42M54 40C56 37 59.5 36.6 62 38.5", hair),
  puzzled: (hair) => line("M38 40.5L46 38M54 41.5C56 41 60 41.5 62 43", hair, 2.2),
  high: (hair) => line("M37.5 39C40 35.8 44 35.6 46 37.2M54 37.2C56 35.6 60 35.8 62.5 39", hair),
  worried: (hair) => line("M37.5 42.6C40 41.8 44 40 46 38.2M54 38.2C56 40 60 41.8 62.5 42.6", hair, 2),
  firm: (hair) => line("M37.5 40.5L46 42.5M54 42.5L62.5 40.5", hair, 2.4),
};

export const MOUTHS = {
  smile: (lip) => line("M43 61C46 65 54 65 57 61", lip),
  small: (lip) => line("M46 62C48.5 63.6 51.5 63.6 54 62", lip),
  grin: () => path(
    "M41 59.5C45 61 55 61 59 59.5C58 67 54 69 50 69C46 69 42 67 41 59.5Z",
    "#fff",
    { stroke: "#8c3b34", "stroke-width": 1.4 },
  ),
  laugh: () => [
    path("M40 58.5H60C60 67 55 70.5 50 70.5C45 70.5 40 67 40 58.5Z", "#7d2a2a"),
    path("M42 58.5H58L57 61.5H43Z", "#fff"),
    path("M45 68C47 65.5 53 65.5 55 68C52 70 48 70 45 68Z", "#e08080"),
  ],
  smirk: (lip) => line("M44 63C48 63.8 54 63 57 59.5", lip),
  wonder: () => svg("ellipse", { cx: 50, cy: 63, rx: 2.6, ry: 3, fill: "#7d2a2a" }),
  oh: () => svg("ellipse", { cx: 50, cy: 63.5, rx: 3.8, ry: 4.8, fill: "#7d2a2a" }),
  frown: (lip) => line("M44 64.5C46.5 61 53.5 61 56 64.5", lip, 2.1),
  lips: () => path("M43 61.5C46 59 48.5 59.5 50 60.3C51.5 59.5 54 59 57 61.5C54 66 46 66 43 61.5Z", "#b02a3c"),
  level: (lip) => line("M45 62.5H55", lip),
};

export const BEARDS = {
  full: (hair) => path(
    "M32 48C32 66 40 76 50 76C60 76 68 66 68 48C66 56 62 57.5 58 57.5C54 55.5 46 55.5 42 57.5C38 57.5 34 56 32 48Z",
    hair,
  ),
  short: (hair) => path(
    "M33 54C35 68 42 75.5 50 75.5C58 75.5 65 68 67 54C64 62 60 66 57 66.5C54 68 46 68 43 66.5C40 66 36 62 33 54Z",
    hair,
    { opacity: 0.8 },
  ),
  moustache: (hair) => path(
    "M40 60.5C42 56 48 56.5 50 58.2C52 56.5 58 56 60 60.5C57 61.5 53 61 50 60C47 61 43 61.5 40 60.5Z",
    hair,
  ),
  walrus: (hair) => path(
    "M35 64C36 56 45 54.5 50 57.5C55 54.5 64 56 65 64C60 61 56 64 50 62.5C44 64 40 61 35 64Z",
    hair,
  ),
};

export const EXTRAS = {
  round: () => [
    dot(42, 48, 7, "#ffffff40", { stroke: INK, "stroke-width": 1.6 }),
    dot(58, 48, 7, "#ffffff40", { stroke: INK, "stroke-width": 1.6 }),
    line("M49 47H51M35 47L32 45.5M65 47L68 45.5", INK, 1.5),
  ],
  square: () => [
    path(
      "M34.5 43H48V53H36.5C35 53 34.5 51 34.5 43ZM52 43H65.5C65.5 51 65 53 63.5 53H52Z",
      "#ffffff30",
      { stroke: INK, "stroke-width": 1.8 },
    ),
    line("M48 46H52", INK, 1.6),
  ],
  monocle: () => [
    dot(57.5, 48, 7, "#ffffff50", { stroke: "#b98a1e", "stroke-width": 2 }),
    line("M63 52.5C66 60 66 68 63 80", "#b98a1e", 1),
  ],
  freckles: () => [38, 41, 44, 56, 59, 62].map((x, i) => dot(x, [56, 58, 56, 56, 58, 56][i], 0.9, "#c4824f")),
  blush: () => [dot(39, 57, 4.2, "#e2706a", { opacity: 0.35 }), dot(61, 57, 4.2, "#e2706a", { opacity: 0.35 })],
  hoops: () => [
    dot(31, 58, 3.8, "none", { stroke: "#d8a01d", "stroke-width": 1.8 }),
    dot(69, 58, 3.8, "none", { stroke: "#d8a01d", "stroke-width": 1.8 }),
  ],
  drops: () => [
    path("M31.5 54L34 60A2.8 2.8 0 1 1 29 60Z", "#d8a01d"),
    path("M68.5 54L71 60A2.8 2.8 0 1 1 66 60Z", "#d8a01d"),
  ],
  flower: () => [
    ...[0, 72, 144, 216, 288].map(
      (turn) => svg(
        "ellipse",
        { cx: 67, cy: 24.5, rx: 3, ry: 4.5, fill: "#fff4f7", transform: `rotate(${turn} 67 29)` },
      ),
    ),
    dot(67, 29, 2.8, "#e8b023"),
  ],
  stubble: () => path("M35 58C38 68 44 73 50 73C56 73 62 68 65 58C62 64 58 61 50 61C42 61 38 64 35 58Z", "#00000018"),
};
