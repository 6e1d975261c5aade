// The rules of the next game: presets, variants, or any options. The server is asked about every change, since it knows
// what options mean and which go together.

import { ask } from "../../connection.js";
import { field, tickbox } from "../dialog.js";
import { button, el } from "../../dom.js";
import { trumps } from "./rules_shown.js";
import { attempt, notice } from "../../speech.js";
import { damaged, state } from "../../state.js";
import { isKey, t } from "../../texts.js";

const openGroups = new Set([0]);

// taken(promise) is called with the rules that the server will send.
export function drawRules(pane, { rules }, taken) {
  const focused = document.activeElement?.id;
  pane.replaceChildren(
    el("div.columns", {}, [
      el("div", {}, ready(rules, taken), state.hello.options.map((group, i) => groupOf(group, i, rules, taken))),
      el("div", {}, inWords(rules), keep(rules, taken)),
    ]),
  );
  if (focused) document.getElementById(focused)?.focus();
}

// The presets and the person's variants.
function ready(rules, taken) {
  const { presets, variants } = state.hello;
  const one = (known, i) => {
    const input = el("input", { type: "radio", name: "ready", id: `ready-${i}`, checked: known.text === rules.text });
    input.addEventListener("change", () => taken(Promise.resolve(known)));
    const [name, about] = namesOf(known);
    return el("label", {}, input, el("span", {}, el("span", {}, name), about && el("small", {}, about)));
  };
  const lost = damaged("variants").map((words) => el("p.quiet", {}, words));
  return el("fieldset.choice.ready", {}, el("legend", {}, t("rules")), [...presets, ...variants].map(one), lost);
}

// A preset by its name and what it is, a variant by its name.
function namesOf({ name }) {
  const isPreset = isKey(`preset.${name}`) && state.hello.presets.some((one) => one.name === name);
  return isPreset ? [t(`preset.${name}`), t(`preset.${name}.about`)] : [name, null];
}

function inWords(rules) {
  return el("section.rules-in-words", {}, [
    el("h3", {}, t("form.how")),
    el("ul.plain", {}, rules.words.map((words) => el("li", {}, words))),
    el("h3", {}, t("form.trumps")),
    trumps(rules.trumps),
  ]);
}

function groupOf({ group, options }, i, rules, taken) {
  const node = el("details.group", { open: openGroups.has(i) }, el("summary", {}, group));
  node.addEventListener("toggle", () => (node.open ? openGroups.add(i) : openGroups.delete(i)));
  const changed = (changes) => taken(ask("rules", { base: rules.text, changes }));
  node.append(...options.map((option) => control(option, rules, changed)));
  return node;
}

// An option's control; disabled where the server says that it is idle.
function control(option, { values, idle }, changed) {
  const draw = { choice: choiceOf, number: numberOf, switch: switchOf }[option.kind];
  const node = draw(option, values, changed);
  node.querySelector("input, select").disabled = idle.includes(option.name);
  return node;
}

// A choice that may change several options at once.
function choiceOf(option, values, changed) {
  const { name, words, choices } = option;
  const changesOf = (one) => one.changes ?? changesTo(option, one.value);
  const now = choices.findIndex((one) => Object.entries(changesOf(one)).every(([key, value]) => values[key] === value));
  const select = el("select", { id: `option-${name}` }, choices.map((one) => el("option", {}, choiceWords(one))));
  if (now < 0) select.prepend(el("option", {}, t("form.else")));
  select.selectedIndex = Math.max(0, now);
  select.addEventListener("change", () => changed(changesOf(choices[select.selectedIndex - (now < 0 ? 1 : 0)])));
  return field(words, select);
}

const choiceWords = (one) => (one.about ? `${one.words}: ${one.about}` : one.words);

function numberOf(option, values, changed) {
  const { name, words, low, high, may_be_off: mayBeOff } = option;
  const value = values[name];
  const input = el("input", { type: "number", id: `option-${name}`, min: low, max: high, value: value ?? "" });
  if (mayBeOff) input.placeholder = t("form.off");
  input.addEventListener("change", () => {
    const off = mayBeOff && input.value.trim() === "";
    changed({ [name]: off ? null : Number(input.value) });
  });
  return field(mayBeOff ? t("form.empty", { words }) : words, input);
}

function switchOf(option, values, changed) {
  const { name, words } = option;
  return tickbox(words, values[name], (on) => changed(changesTo(option, on)), `option-${name}`);
}

// The changes that set an option to a value, with those to options that contradict it.
const changesTo = ({ name, beside }, value) => ({ [name]: value, ...beside[String(value)] });

// The form that saves these rules under a name, or forgets a variant.
function keep(rules, taken) {
  const own = state.hello.variants.find((one) => one.text === rules.text);
  const input = el(
    "input",
    { type: "text", id: "variant", maxlength: 24, autocomplete: "off", value: own?.name ?? "" },
  );
  const send = (what, fields, words) => attempt(async () => {
    state.hello.variants = (await ask(what, fields)).variants;
    taken(Promise.resolve(rules));
    notice(words);
  });
  const save = (event) => {
    event.preventDefault();
    const name = input.value.trim();
    send("save_variant", { name, rules: rules.text }, t("form.saved", { name }));
  };
  const saveButton = el("button", { type: "submit", id: "variant-save" }, t("form.save"));
  const forget = own && button(t("form.delete", { name: own.name }), () =>
    send("forget_variant", { name: own.name }, t("form.deleted", { name: own.name })),
  );
  return el("form.keep", { onsubmit: save }, field(t("form.name"), input), saveButton, forget);
}
