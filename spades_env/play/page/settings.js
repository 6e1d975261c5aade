// The settings: how the table looks and behaves for this person.
//
// They are saved on the server, so that every browser of a person has them. A copy stays in this browser until the
// server has answered.

import { ask } from "./connection.js";
import { ANIMALS } from "./art/animals.js";
import { change, state } from "./state.js";
import { LANGUAGES, STORED, chosenLanguage, language, t } from "./texts.js";

const SAVING = 300; // milliseconds in which the server gets the settings before the page is loaded again

const SUIT_ORDERS = { shcd: "♠ ♥ ♣ ♦", dchs: "♦ ♣ ♥ ♠", shdc: "♠ ♥ ♦ ♣", cdhs: "♣ ♦ ♥ ♠" };

// hidden: not in the dialog. A choice has the key of its words, and those of its values: set.theme, set.theme.dark.
// usual: the value at first, by default the first choice, or false.
export const SETTINGS = [
  { name: "face", group: "you", choices: ["", ...Object.keys(ANIMALS)] },
  { name: "felt", group: "you", choices: ["green", "teal", "blue", "night", "plum", "burgundy", "rust", "charcoal"] },
  { name: "weave", group: "you", choices: ["plain", "diamonds", "stripes", "suits"] },
  { name: "language", group: "look", choices: { system: t("set.language.system"), ...LANGUAGES } },
  { name: "theme", group: "look", choices: ["system", "light", "dark"] },
  { name: "faces", group: "look", choices: ["large", "classic"] },
  { name: "deck", group: "look", choices: ["two", "four", "safe"] },
  { name: "back", group: "look", choices: ["lattice", "scales", "rays"] },
  { name: "cardSize", group: "look", choices: ["usual", "large"] },
  { name: "motion", group: "look", choices: ["system", "off"] },
  { name: "suitOrder", group: "hand", choices: SUIT_ORDERS },
  { name: "ascending", group: "hand" },
  { name: "taps", group: "playing", choices: ["auto", "one", "two"] },
  { name: "autoplay", group: "playing" },
  { name: "sound", group: "sound" },
  { name: "volume", group: "sound", usual: 60, low: 0, high: 100, step: 5, unit: "%" },
  { name: "soundOffered", hidden: true },
  { name: "botPause", group: "speed", usual: 0.5, low: 0, high: 1.5, step: 0.1, unit: t("seconds") },
  { name: "trickStay", group: "speed", usual: 1.2, low: 0, high: 3, step: 0.1, unit: t("seconds") },
  { name: "tapToClear", group: "speed" },
  { name: "remarks", group: "company", usual: true },
  { name: "phrases", group: "company", usual: true },
  { name: "hideRatio", group: "statistics" },
].map((one) => (one.hidden ? one : { ...one, ...wordsOf(one) }));

function wordsOf({ name, group, choices }) {
  return { words: t(`set.${name}`), group: t(`group.${group}`), choices: choicesOf(name, choices) };
}

// The values with their words.
function choicesOf(name, choices) {
  if (!Array.isArray(choices)) return choices;
  return Object.fromEntries(choices.map((value) => [value, t(`set.${name}.${value || "none"}`)]));
}

export const USUAL = Object.fromEntries(
  SETTINGS.map(({ name, usual, choices }) => [name, usual ?? (choices ? Object.keys(choices)[0] : false)]),
);

// The given values where they are valid, the usual ones elsewhere.
function fitting(given) {
  const found = { ...USUAL };
  for (const one of SETTINGS) {
    const value = given?.[one.name];
    if (value !== undefined && fits(one, value)) found[one.name] = value;
  }
  return found;
}

function fits({ choices, low, high }, value) {
  if (choices) return Object.hasOwn(choices, value);
  return low === undefined ? typeof value === "boolean" : typeof value === "number" && value >= low && value <= high;
}

// The settings that this browser remembers.
export function remembered() {
  try {
    return fitting(JSON.parse(localStorage.getItem(STORED)));
  } catch {
    return { ...USUAL };
  }
}

// Take over the settings from the server, which may have been changed in another browser.
export function takeOver(hello) {
  if (hello.settings?.page) adopt(fitting(hello.settings.page));
  const { face } = state.settings;
  if (face && face !== hello.face) ask("look", { face }).catch(() => {}); // a guest's is known from other tables
}

export function set(name, value) {
  const offered = name === "sound" ? { soundOffered: true } : {};
  adopt(fitting({ ...state.settings, [name]: value, ...offered }));
  if (state.hello && name === "face") ask("look", { face: value || null }).catch(() => {});
  if (state.hello) ask("set", { name: "page", value: state.settings }).catch(() => {});
}

export function adopt(settings) {
  const inOther = chosenLanguage(settings.language) !== language;
  try {
    localStorage.setItem(STORED, JSON.stringify(settings));
    if (inOther) setTimeout(() => location.reload(), SAVING); // the page is written anew in the other language
  } catch {
    // A browser that stores nothing can still be played in.
  }
  const root = document.documentElement.dataset;
  root.theme = settings.theme;
  root.felt = settings.felt;
  root.weave = settings.weave;
  root.deck = settings.deck;
  root.back = settings.back;
  root.cards = settings.cardSize;
  root.motion = settings.motion;
  change({ settings });
}

// Does this click only lift a card, which the next one plays?
export function twoTaps({ detail, pointerType }) {
  const { taps } = state.settings;
  return detail > 0 && (taps === "two" || (taps === "auto" && ["touch", "pen"].includes(pointerType)));
}

// Do cards slide, and are they dealt one by one?
export function moving() {
  return state.settings.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
