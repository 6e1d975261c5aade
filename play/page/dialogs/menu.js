// The menu: everything that is not a move.

import { closeDialog, openDialog } from "./dialog.js";
import { entriesOfLine } from "../connection.js";
import { button, el } from "../dom.js";
import { openFairness } from "./fairness.js";
import { openHelp } from "./help.js";
import { openInvite } from "./lobby.js";
import { openRecords } from "./records.js";
import { newest } from "../queue.js";
import { askReview } from "./review.js";
import { openRules } from "./rules_shown.js";
import { openSettings } from "./settings_dialog.js";
import { state } from "../state.js";
import { openStatistics } from "./statistics.js";
import { openTables } from "./tables.js";
import { openTakeback } from "./takeback.js";
import { t } from "../texts.js";

export function openMenu() {
  const { view, hello } = state;
  const owner = hello && !hello.guest;
  const entries = [
    view && [t("menu.rules"), openRules],
    view?.can.takeback > 1 && [t("menu.undo"), openTakeback],
    view?.sheet.length > 0 && [t("menu.review"), () => askReview(view.key, newest().unsettled)],
    owner && [t("menu.games"), openRecords],
    owner && [t("menu.statistics"), openStatistics],
    view && [t("fairness"), openFairness],
    ...(entriesOfLine() ?? [
      owner && view && [t("invite.title"), openInvite],
      owner && [t("menu.tables"), openTables],
    ]),
    !owner && view && !view.watching && [t("menu.leave"), openInvite],
    [t("menu.settings"), openSettings],
    [t("help.title"), openHelp],
  ].filter(Boolean);
  const items = entries.map(([words, open]) => el("li", {}, button(words, () => (closeDialog(), open()))));
  openDialog("menu", t("more"), [el("ul", {}, items)]);
}
