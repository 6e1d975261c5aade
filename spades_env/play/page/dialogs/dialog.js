// Dialogs: one at a time, above the table, closed by Escape, by their cross or by a click outside.

import { button, el, give, put } from "../dom.js";
import { hush, say } from "../speech.js";
import { change, state } from "../state.js";
import { grouped, t } from "../texts.js";

let open = null; // {node, closed, keys, before}; before: the node that had the focus

// Show nodes under a title. spec adds classes ("wide"), closed() is called when it closes, keys: see dialogKeys.
export function openDialog(name, title, nodes, { spec = "", closed = () => {}, keys = null } = {}) {
  closeDialog();
  hush();
  const heading = el("h2", { id: "dialog-title", tabindex: "-1" }, title);
  const cross = el("button.cross", { type: "button", "aria-label": t("close"), onclick: () => closeDialog() }, "×");
  const body = el("div.body", {}, nodes);
  if (!body.querySelector("button, input, select, textarea, summary")) give(body, "tabindex", 0); // to scroll by keys
  const node = el(`dialog.${name}${spec && `.${spec}`}`, { "aria-labelledby": "dialog-title" }, [
    el("header", {}, heading, cross),
    body,
  ]);
  node.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeDialog();
  });
  node.addEventListener("pointerdown", (event) => event.target === node && closeDialog());
  node.append(...speechNodes());
  document.body.append(node);
  const before = document.activeElement;
  open = { node, closed, keys, before };
  change({ dialog: name });
  node.showModal();
  heading.focus();
  return body;
}

export function closeDialog() {
  if (!open) return;
  const { node, closed, before } = open;
  open = null;
  node.close();
  document.body.append(...speechNodes());
  node.remove();
  change({ dialog: null });
  if (before?.isConnected && before !== document.body) before.focus();
  else document.getElementById("table").focus();
  closed();
}

// The notice and the lines for screen readers. Outside an open modal dialog nobody could see or hear them.
const speechNodes = () => ["notice", "speech"].map((id) => document.getElementById(id));

// The open dialog's handler of keys: f(event) returns whether it used the key.
export const dialogKeys = () => open?.keys ?? null;

// Replace the open dialog's content, and keep the focus in the dialog.
export function refill(name, ...nodes) {
  if (state.dialog !== name) return;
  const body = open.node.querySelector(".body");
  const had = body.contains(document.activeElement);
  body.replaceChildren(...nodes.flat(Infinity).filter(Boolean));
  if (had && !body.contains(document.activeElement)) open.node.querySelector("h2").focus();
}

// A button for what can't be undone: the first press asks, a second one does it. A double click counts as one press.
// label: its name for screen readers.
export function sureButton(words, question, act, label = null) {
  const show = (text, name) => (put(node, text), give(node, "aria-label", name));
  const node = button(words, (event) => {
    if (event.detail > 1) return;
    if (node.textContent === question) act();
    else say(question);
    show(question, label && `${label}. ${question}`);
  });
  node.addEventListener("blur", () => show(words, label));
  show(words, label);
  return node;
}

// A labelled field.
export function field(words, input, spec = "label.field") {
  return el(spec, {}, el("span", {}, words), input);
}

// An input for a whole number or nothing; what is typed is brought within these limits.
export function numberInput(min, max, value, placeholder = "") {
  const input = el("input", { type: "number", min, max, value, placeholder });
  input.addEventListener("change", () => {
    if (input.value) input.value = Math.min(max, Math.max(min, Math.round(Number(input.value))));
  });
  return input;
}

// A choice among few, as a row of radio buttons; choices: {value: words}, sample: draws what a value looks like.
export function choice(name, words, choices, chosen, picked, sample = () => null, spec = "fieldset.choice") {
  const group = el(spec, {}, el("legend", {}, words));
  for (const [value, label] of Object.entries(choices)) {
    const input = el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => picked(value) });
    group.append(el("label", {}, input, sample(value), el("span", {}, label)));
  }
  return group;
}

export function tickbox(words, on, picked, id = null) {
  const input = el("input", { type: "checkbox", id, checked: on, onchange: () => picked(input.checked) });
  return el("label.tick", {}, input, el("span", {}, words));
}

export function slider(words, { low, high, step, unit }, now, picked) {
  const inWords = (value) => `${grouped(Number(value))} ${unit}`;
  const shown = el("output", {}, inWords(now));
  const input = el("input", { type: "range", min: low, max: high, step, value: now });
  give(input, "aria-valuetext", inWords(now));
  input.value = now;
  input.addEventListener("input", () => {
    shown.textContent = inWords(input.value);
    give(input, "aria-valuetext", inWords(input.value));
    picked(Number(input.value));
  });
  return el("label.slider", {}, el("span", {}, words), input, shown);
}
