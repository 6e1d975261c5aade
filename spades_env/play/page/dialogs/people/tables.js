// The host's tables: who sits where, who is here, how the game stands; go to one, open another, close one.

import { ask } from "../../connection.js";
import { closeDialog, openDialog, refill, sureButton } from "../dialog.js";
import { button, el, upper } from "../../dom.js";
import { UNNAMED, face } from "../../art/faces.js";
import { openNewGame } from "../game/new_game.js";
import { attempt } from "../../speech.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

const NAME = "tables";

export function openTables() {
  openDialog(NAME, t("menu.tables"), [el("p.quiet", { role: "status" }, t("opening"))]);
  list();
}

const list = () => attempt(async () => {
  const { tables } = await ask("tables");
  const another = button(t("tables.new"), () => (closeDialog(), openNewGame()));
  const shown = tables.length
    ? el("ul.tables", {}, tables.map(tableRow))
    : el("p", {}, t("tables.none"));
  refill(NAME, shown, el("div.row", {}, another));
});

function tableRow(table) {
  const here = table.key === state.key;
  const counts = [
    table.watching && t("tables.watching", { count: table.watching }),
    table.waiting && t("tables.waiting", { count: table.waiting }),
  ].filter(Boolean);
  return el("li", {}, [
    el("p", {}, el("b", {}, upper(table.result)), el("small", {}, [table.title, ...counts].join(" · "))),
    el("ul.sitting", {}, table.seats.map(seatRow)),
    el("div.row", {}, [
      here ? el("span.quiet", {}, t("tables.here")) : button(t("tables.go"), () => go(table.key), "button.strong"),
      closing(table),
    ]),
  ]);
}

function seatRow({ who, person, here }) {
  const note = person ? (here ? null : t("away")) : t("tables.bot");
  return el("li", {}, el("span.face.tiny", {}, face(who, person)), [
    el("span", {}, who === UNNAMED ? t("you") : who),
    note && el("small", {}, note),
  ]);
}

const go = (key) => attempt(async () => {
  await ask("open", { key });
  closeDialog();
});

// A table is closed by a second press; the first one asks, and says if the game is lost by that.
function closing({ key, forfeit }) {
  return sureButton(t("tables.close"), t(forfeit ? "games.sure_loss" : "tables.sure"), () => attempt(async () => {
    await ask("give_up", { key });
    await list();
  }));
}
