// The settings. A change takes effect at once.

import { ask } from "../connection.js";
import { cardBack } from "../art/cards.js";
import { UNNAMED, face } from "../art/faces.js";
import { choice, field, openDialog, slider, tickbox } from "./dialog.js";
import { button, el } from "../dom.js";
import { SETTINGS, set } from "../settings.js";
import { play } from "../sound.js";
import { attempt, notice } from "../speech.js";
import { change, damaged, state } from "../state.js";
import { t } from "../texts.js";

export function openSettings() {
  const shown = SETTINGS.filter((one) => !one.hidden);
  const groups = [...new Set(shown.map((one) => one.group))];
  const sections = groups.map((group) =>
    el("section", {}, el("h3", {}, group), shown.filter((one) => one.group === group).map(control)),
  );
  const lost = damaged("settings").map((words) => el("p.quiet", {}, words));
  sections[0].querySelector("h3").after(...[yourName()].filter(Boolean));
  openDialog("settings", t("menu.settings"), [...lost, ...sections]);
}

// Settings whose choices are shown as samples: a face, a cloth, a back.
const SAMPLES = {
  face: (value) => el("span.face", {}, value ? face("", true, null, value) : null),
  felt: (value) => el("span.cloth-sample", { "data-felt": value }),
  weave: (value) => el("span.cloth-sample", { "data-weave": value }),
  back: (value) => el("span", { "data-back": value }, cardBack()),
};

function control(one) {
  const now = state.settings[one.name];
  const picked = (value) => {
    set(one.name, value);
    if (one.name === "sound") play("turn");
    if (one.name === "volume") play("card");
  };
  if (one.choices) {
    const spec = one.name in SAMPLES ? "fieldset.choice.samples" : "fieldset.choice";
    return choice(one.name, one.words, one.choices, now, picked, SAMPLES[one.name], spec);
  }
  return one.low === undefined ? tickbox(one.words, now, picked) : slider(one.words, one, now, picked);
}

// The field for the person's name, which others see. Guests give theirs when they sit down.
export function yourName() {
  const { hello } = state;
  if (!hello || hello.guest) return null;
  const value = hello.name === UNNAMED ? "" : hello.name;
  const input = el("input", { type: "text", maxlength: 24, value, placeholder: t("you"), autocomplete: "off" });
  const save = () => attempt(async () => {
    await ask("rename", { name: input.value.trim() });
    change({ hello: { ...hello, name: input.value.trim() } });
    notice(t("saved_name"));
  });
  return el("section.name", {}, field(t("your_name"), input), button(t("save"), save));
}
