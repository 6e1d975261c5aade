// The settings: how the table looks and behaves for this person.
//
// They are saved on the server, so that every browser of a person has them. A copy stays in this browser until the
// server has answered.

import { ask } from "./connection.js";
import { change, state } from "./state.js";

const STORED = "spades-settings";

export const SETTINGS = [
  {
    name: "theme",
    group: "Look",
    words: "Colours",
    choices: { system: "Same as the system", light: "Light", dark: "Dark" },
  },
  {
    name: "deck", group: "Look", words: "Deck",
    choices: { two: "Two colours", four: "Four colours", safe: "Colour-safe" },
  },
  { name: "cardSize", group: "Look", words: "Cards", choices: { usual: "Usual size", large: "Large" } },
  { name: "motion", group: "Look", words: "Sliding cards", choices: { system: "Same as the system", off: "Off" } },
  { name: "suitOrder", group: "Hand", words: "Suits from left to right", choices: {
    shcd: "♠ ♥ ♣ ♦", dchs: "♦ ♣ ♥ ♠", shdc: "♠ ♥ ♦ ♣", cdhs: "♣ ♦ ♥ ♠",
  } },
  { name: "ascending", group: "Hand", words: "Lowest card first" },
  {
    name: "taps", group: "Playing", words: "Playing a card takes",
    choices: { auto: "One click, two taps on touch", one: "One click or tap", two: "Two clicks or taps" },
  },
  { name: "autoplay", group: "Playing", words: "Play a card by itself when it is the only one allowed" },
  { name: "botPause", group: "Speed", words: "Pause before a bot moves", low: 0, high: 1.5, step: 0.1, unit: "s" },
  { name: "trickStay", group: "Speed", words: "A finished trick stays", low: 0, high: 3, step: 0.1, unit: "s" },
  { name: "tapToClear", group: "Speed", words: "A finished trick stays until it is clicked" },
  { name: "hideRatio", group: "Statistics", words: "Hide win percentages" },
];

export const USUAL = {
  theme: "system", deck: "two", cardSize: "usual", motion: "system", suitOrder: "shcd", ascending: false, taps: "auto",
  autoplay: false, botPause: 0.5, trickStay: 1.2, tapToClear: false, hideRatio: false,
};

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
}

export function set(name, value) {
  adopt(fitting({ ...state.settings, [name]: value }));
  if (state.hello) ask("set", { name: "page", value: state.settings }).catch(() => {});
}

export function adopt(settings) {
  try {
    localStorage.setItem(STORED, JSON.stringify(settings));
  } catch {
    // A browser that stores nothing can still be played in.
  }
  const root = document.documentElement.dataset;
  root.theme = settings.theme;
  root.deck = settings.deck;
  root.cards = settings.cardSize;
  root.motion = settings.motion;
  change({ settings });
}

// Do cards slide?
export function moving() {
  return state.settings.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
