// The faces of the eighteen characters, each made of a few parts and colours. People are animals, other agents a spade.

import { ANIMALS } from "./animals.js";
import { picture, svg } from "../dom.js";
import { BEARDS, BROWS, EXTRAS, EYES, MOUTHS, clothes, dot, head, line } from "./face_parts.js";
import { HAIR } from "./hair.js";
import { pip } from "./pips.js";
import { state } from "../state.js";

export const UNNAMED = "You"; // who has not chosen a name yet
const people = []; // their names, in the order in which they were first shown

// back: behind the head; skin with its shade; hair: kind, colour, second colour; wear: colour, kind; extras by name
const FACES = {
  milly: {
    back: "#f6c7a4", skin: ["#fbdcc0", "#edc19c"], hair: ["pigtails", "#d9833f", "#3f9a8b"],
    eyes: "open", brows: "up", mouth: "grin",
    wear: ["#3f9a8b", "plain"], extras: ["freckles", "blush"],
  },
  bruno: {
    back: "#b9cfa0", skin: ["#f0c9a0", "#dcae80"], hair: ["short", "#5a3f2b"],
    eyes: "side", brows: "puzzled", mouth: "wonder", beard: "moustache",
    wear: ["#7a5a3a", "shirt"], round: true,
  },
  pia: {
    back: "#cdbfe6", skin: ["#f7d8bd", "#e6bb99"], hair: ["waves", "#a8744a"],
    eyes: "dreamy", brows: "calm", mouth: "smile",
    wear: ["#7c66ad", "plain"], extras: ["flower", "blush"],
  },
  nino: {
    back: "#f4d774", skin: ["#dba677", "#c08b5c"], hair: ["curls", "#2a211d"],
    eyes: "open", brows: "up", mouth: "grin",
    wear: ["#2f6f9f", "stripes"],
  },
  tove: {
    back: "#b5c7d6", skin: ["#f5d7c2", "#e2bba3"], hair: ["bob", "#c9c3b6"],
    eyes: "open", brows: "calm", mouth: "level",
    wear: ["#4b6478", "roll"], extras: ["round"],
  },
  mateo: {
    back: "#f2ab72", skin: ["#d39d6d", "#b98254"], hair: ["swept", "#33251e"],
    eyes: "happy", brows: "up", mouth: "laugh", beard: "short",
    wear: ["#b3392f", "shirt"],
  },
  anouk: {
    back: "#93c7c3", skin: ["#f3d0b0", "#deb48f"], hair: ["beret", "#2b2120", "#b52f45"],
    eyes: "lashes", brows: "one", mouth: "smirk",
    wear: ["#24303a", "stripes"],
  },
  ravi: {
    back: "#c4d4b4", skin: ["#a9744a", "#8e5e39"], hair: ["parted", "#1f1a19"],
    eyes: "open", brows: "calm", mouth: "small", beard: "moustache",
    wear: ["#e6a033", "vest"],
  },
  dara: {
    back: "#e58d88", skin: ["#c58d60", "#a97449"], hair: ["pixie", "#6d1f2d"],
    eyes: "keen", brows: "one", mouth: "smirk",
    wear: ["#2b2b35", "roll"], extras: ["hoops"],
  },
  yusuf: {
    back: "#e3cfa5", skin: ["#c99566", "#ae7b4e"], hair: ["short", "#241c19"],
    eyes: "open", brows: "calm", mouth: "smile", beard: "full",
    wear: ["#5b7a5e", "shirt"], extras: ["round"],
  },
  mei: {
    back: "#f3bccb", skin: ["#f6d9b8", "#e3bd96"], hair: ["bun", "#1f1c22", "#c43d57"],
    eyes: "happy", brows: "calm", mouth: "smile",
    wear: ["#c43d57", "plain"], extras: ["blush"],
  },
  kwame: {
    back: "#a7cf9f", skin: ["#6b452f", "#563522"], hair: ["cropped", "#1b1614"],
    eyes: "open", brows: "calm", mouth: "small",
    wear: ["#d6a72f", "shirt"], extras: ["square"],
  },
  ingrid: {
    back: "#bfe0ee", skin: ["#fbe0cc", "#ecc5ab"], hair: ["crown", "#e3bd62", "#b98e33"],
    eyes: "wink", brows: "up", mouth: "smirk",
    wear: ["#26648f", "plain"], extras: ["blush"],
  },
  tomas: {
    back: "#c3b2dd", skin: ["#f6d3b7", "#e2b694"], hair: ["swept", "#b0512a"],
    eyes: "keen", brows: "one", mouth: "smirk", beard: "short",
    wear: ["#463a63", "vest"],
  },
  amara: {
    back: "#f3c766", skin: ["#7d5035", "#663e28"], hair: ["puff", "#1d1614", "#c8452f"],
    eyes: "lashes", brows: "calm", mouth: "small",
    wear: ["#1f7a6b", "plain"], extras: ["drops"],
  },
  otto: {
    back: "#9db69a", skin: ["#f3cdb0", "#deb08e"], hair: ["bald", "#d9d6d0"],
    eyes: "keen", brows: "firm", mouth: "level", beard: "walrus",
    wear: ["#3a4a3d", "bow"], extras: ["monocle"], round: true,
  },
  noor: {
    back: "#a9bddf", skin: ["#d9ab7f", "#be8f63"], hair: ["scarf", "#4d2f63", "#6b4689"],
    eyes: "lashes", brows: "calm", mouth: "small",
    wear: ["#4d2f63", "plain"],
  },
  zofia: {
    back: "#2f3d5c", skin: ["#f6d6bf", "#e2b89b"], hair: ["upswept", "#d8d9df", "#a9abb8"],
    eyes: "keen", brows: "calm", mouth: "lips",
    wear: ["#8d1f33", "pearls"], extras: ["drops"],
  },
};

// What a mood changes in a face
const MOODS = {
  happy: { eyes: "happy", brows: "up", mouth: "laugh" },
  kind: { eyes: "happy", brows: "calm", mouth: "smile" },
  worried: { eyes: "open", brows: "worried", mouth: "frown" },
  surprised: { eyes: "wide", brows: "high", mouth: "oh" },
};

// The face of a character by name, in a mood if one is given; that of a person, as the server tells it; or a spade.
export function face(name, person = false, mood = null, chosen = null) {
  if (person) return animal(name, chosen);
  const parts = FACES[name.toLowerCase()];
  return parts ? framed(character({ ...parts, ...MOODS[mood] }), "6 2 88 88") : picture(
    100,
    100,
    dot(50, 50, 50, "#4f5d75"),
    pip("S", 50, 50, 56, { fill: "#e8edf5" }),
  );
}

// Show the middle of the square; the style sheet makes it round.
function framed(parts, box) {
  const node = picture(100, 100, ...parts);
  node.setAttribute("viewBox", box);
  return node;
}

function character(parts) {
  const [kind, hair, second] = parts.hair;
  const { behind = [], before } = HAIR[kind](hair, second);
  const dark = ["#a9744a", "#6b452f", "#7d5035"].includes(parts.skin[0]);
  const brow = ["#d9d6d0", "#c9c3b6", "#d8d9df"].includes(hair) ? "#8f8a82" : kind === "scarf" ? "#3a2a22" : hair;
  return [
    svg("rect", { width: 100, height: 100, fill: parts.back }),
    ...behind,
    ...clothes(parts.wear[0], parts.wear[1]),
    ...head(parts.skin[0], parts.skin[1], parts.round),
    ...(parts.extras ?? []).includes("blush") ? EXTRAS.blush() : [],
    parts.beard && BEARDS[parts.beard](kind === "bald" ? "#ece9e3" : hair),
    line("M50 49L48.2 55.5L51 56", "#00000050", 1.6),
    MOUTHS[parts.mouth](dark ? "#d08a7c" : "#8c3b34"),
    EYES[parts.eyes](),
    BROWS[parts.brows](brow),
    ...before,
    ...(parts.extras ?? []).filter((name) => name !== "blush").flatMap((name) => EXTRAS[name]()),
  ].flat();
}

// The face that a person has chosen. In lists that don't tell it, others get those of the animals in turn.
function animal(name, chosen) {
  if (!people.includes(name)) people.push(name);
  const own = name === state.hello?.name && (state.settings.face || state.view?.seats[0].face);
  const usual = Object.keys(ANIMALS)[people.indexOf(name) % Object.keys(ANIMALS).length];
  const [back, draw] = ANIMALS[chosen] ?? ANIMALS[own] ?? ANIMALS[usual];
  return framed([svg("rect", { width: 100, height: 100, fill: back }), ...draw()], "6 6 88 88");
}
