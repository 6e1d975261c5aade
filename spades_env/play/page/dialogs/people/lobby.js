// The seats, for those who follow a link to a table.

import { ask } from "../../connection.js";
import { field } from "../dialog.js";
import { button, el, give, mark } from "../../dom.js";
import { face } from "../../art/faces.js";
import { focusNext } from "../../table/focus.js";
import { attempt, hush } from "../../speech.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

let box = null;
let shown = null; // the lobby that is shown, as text: the server sends it again with every move

// Shown in place of the table to a person without a seat.
export function drawLobby() {
  const { lobby } = state;
  mark(document.body, "waiting", !state.view);
  if (!lobby) {
    if (box) hide();
    return;
  }
  const text = JSON.stringify(lobby);
  if (text === shown) return;
  shown = text;
  const name = el(
    "input",
    { type: "text", maxlength: 24, autocomplete: "nickname", value: nameNow(), id: "lobby-name" },
  );
  const seats = [...lobby.seats].sort((a, b) => a.side - b.side).map((seat) => seatRow(seat, name));
  const fresh = el("section.lobby", { "aria-label": t("lobby.seats") }, [
    el("h2", {}, t(lobby.over ? "lobby.over" : "lobby.take")),
    el("p.quiet", {}, lobby.title),
    !lobby.name && !lobby.over && state.hello?.guest && field(t("your_name"), name),
    el("ul.places", {}, seats),
    !lobby.over && button(t("watch.start"), watch),
    lobby.watchers.length > 0 && el("p.quiet", {}, t("watch.list", { names: lobby.watchers.join(", ") })),
  ].filter(Boolean));
  const focus = focusIn(box);
  box?.replaceWith(fresh);
  if (!box) document.getElementById("table").append(fresh);
  box = fresh;
  focus();
}

// Returns a function that restores the focus, and the selection in a field, after a node was replaced.
function focusIn(node) {
  if (!node?.contains(document.activeElement)) return () => {};
  const { id, selectionStart: from, selectionEnd: to } = document.activeElement;
  return () => {
    const there = id && document.getElementById(id);
    if (!there) return;
    there.focus();
    if (from !== undefined) there.setSelectionRange(from, to);
  };
}

function hide() {
  box.remove();
  box = null;
  shown = null;
}

const nameNow = () => document.getElementById("lobby-name")?.value ?? state.hello?.name ?? "";

function seatRow(seat, name) {
  const words = t(seat.yours ? "lobby.come_back" : "lobby.sit");
  const sit = seat.free && !state.lobby.over && button(words, () => take(seat.seat, name), "button.strong");
  if (sit) give(sit, "id", `seat-${seat.seat}`);
  if (sit) give(sit, "aria-label", `${words}: ${seat.who}`);
  return el("li", {}, [
    el("span.face", {}, face(seat.who, seat.person, null, seat.face)),
    el("span", {}, el("b", {}, seat.who), el("small", {}, seatWords(seat))),
    sit,
  ]);
}

// Who plays here, and with whom: "bot · partner: Zoe".
function seatWords({ seat, side, person, away, kept_for: keptFor }) {
  const partner = state.lobby.seats.find((one) => one.side === side && one.seat !== seat);
  const bot = keptFor ? t("lobby.for", { who: keptFor }) : t("tables.bot");
  const who = person ? t(away ? "away" : "lobby.taken") : bot;
  return [who, partner && t("lobby.partner", { who: partner.who })].filter(Boolean).join(" · ");
}

const watch = () => attempt(async () => {
  await ask("watch", { on: true });
  document.getElementById("table").focus();
});

const take = (seat, input) => attempt(async () => {
  const fields = { seat };
  if (input.isConnected && input.value.trim()) fields.name = input.value.trim();
  await ask("sit", fields);
  hush();
  focusNext();
});
