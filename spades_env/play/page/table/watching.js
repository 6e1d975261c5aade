// For those who watch: a bar in place of the cards. For everybody: how many watch, in the bar at the top.

import { ask } from "../connection.js";
import { button, el, give, picture, put, svg } from "../dom.js";
import { attempt, notice } from "../speech.js";
import { state } from "../state.js";
import { t } from "../texts.js";

let bar = null;
let back = null;

export function buildWatching(table) {
  back = button("", () => attempt(() => ask("watch", { on: false }))); // to the list of seats, where one may be free
  bar = el("section.watch-bar", { "aria-label": t("watch.start"), hidden: true }, el("p", {}, t("watch.now")), back);
  table.append(bar);
}

export function drawWatching() {
  const { view } = state;
  bar.hidden = !view.watching;
  put(back, t(view.seats.some((seat) => seat.free) ? "watch.sit" : "watch.stop"));
}

export function buildWatchers() {
  const eye = picture(
    22,
    22,
    svg("path", { d: "M2 11C5 5.5 17 5.5 20 11C17 16.5 5 16.5 2 11Z" }),
    svg("circle", { cx: 11, cy: 11, r: 3 }),
  );
  const tell = () => notice(words());
  return el("button.watchers", { type: "button", hidden: true, onclick: tell }, eye, el("span"));
}

export function drawWatchers(node) {
  const names = watchers();
  node.hidden = !names.length;
  if (!names.length) return;
  put(node.lastChild, names.length);
  give(node, "aria-label", words());
  give(node, "title", words());
}

const watchers = () => state.view?.watchers ?? [];
const words = () => t("watch.list", { names: watchers().join(", ") });
