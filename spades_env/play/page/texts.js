// The page's own words, by key, in the language of the person: one file for each language, texts/en.json and others.
// texts/languages.json lists them, each by its own name.
// What the server says it writes in this language, too.
//
//     t("hands", {count: 3})     "3 hands". A key with forms for one and for many is asked for without the form
//
// play/texts/__init__.py says what a catalogue looks like. The file is loaded before any other module runs.

export const STORED = "spades-settings"; // where this browser has the settings
const USUAL = "en";
const ONE = { fr: [-1, 0, 1] }; // what a language counts as one, by default 1 alone
const FRENCH_VOWEL = /\b(d|qu)e (?=[aeiouâàéèêîôû])/gi; // d'Amara, qu'Otto
export const LANGUAGES = await fetched("languages");
export const language = chosenLanguage(rememberedLanguage());
const words = await fetched(language);

document.documentElement.lang = language;

async function fetched(name) {
  return (await fetch(new URL(`../texts/${name}.json`, import.meta.url))).json();
}

// The language for a setting: the browser's for "system", English if that is not here.
export function chosenLanguage(setting) {
  if (Object.hasOwn(LANGUAGES, setting)) return setting;
  const wanted = (navigator.languages ?? [navigator.language]).map((one) => one.slice(0, 2).toLowerCase());
  return wanted.find((one) => Object.hasOwn(LANGUAGES, one)) ?? USUAL;
}

function rememberedLanguage() {
  try {
    return JSON.parse(localStorage.getItem(STORED))?.language;
  } catch {
    return null;
  }
}

export function t(key, params = {}) {
  const form = isKey(key) ? key : `${key}.${(ONE[language] ?? [1]).includes(params.count) ? "one" : "other"}`;
  if (!isKey(form)) console.error(`no text ${key}`);
  const found = words[form]?.replace(/\{(\w+)\}/g, (_, name) => shown(params[name])) ?? key;
  return language === "fr" ? found.replace(FRENCH_VOWEL, "$1'") : found;
}

export const isKey = (key) => Object.hasOwn(words, key);

const shown = (param) => (typeof param === "number" ? String(param).replace("-", "−") : String(param));

// Numbers as this language writes them: "10,000", "5.4", "36.2%".
export const grouped = (value) => value.toLocaleString(language);
export const decimal = (value) => written(value, 1);
export const percent = (share, digits = 0) => written(share, digits, { style: "percent" });

function written(value, digits, options = {}) {
  const about = { minimumFractionDigits: digits, maximumFractionDigits: digits, ...options };
  return (value || 0).toLocaleString(language, about).replace("-", "−"); // −0 is 0
}
