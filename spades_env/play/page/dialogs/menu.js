// The menu: everything that is not a move, in groups: this table, everything played, the page itself.

import { closeDialog, openDialog } from "./dialog.js";
import { openAchievements } from "./records/achievements.js";
import { ofLine } from "../connection.js";
import { openDaily } from "./records/daily.js";
import { button, el } from "../dom.js";
import { openFairness } from "./game/fairness.js";
import { openHelp } from "./help.js";
import { openLearn } from "../learn/learn.js";
import { openInvite } from "./people/invite.js";
import { openRecords } from "./records/records.js";
import { newest } from "../queue.js";
import { askReview } from "./records/review.js";
import { openRules } from "./game/rules_shown.js";
import { openSettings } from "./settings_dialog.js";
import { openSignOut, signOutWords } from "./sign_out.js";
import { state } from "../state.js";
import { openStatistics } from "./records/statistics.js";
import { openTables } from "./people/tables.js";
import { openTakeback } from "./game/takeback.js";
import { t } from "../texts.js";

export function openMenu() {
  const { view, hello } = state;
  const owner = hello && !hello.guest;
  const groups = {
    "menu.table": [
      view?.sheet.length > 0 && [t("menu.review"), () => askReview(view.key, newest().unsettled)],
      view?.can.takeback > 1 && [t("menu.undo"), openTakeback],
      view && [t("menu.rules"), openRules],
      view && [t("fairness"), openFairness],
      owner && [t("invite.title"), openInvite],
      owner && [t("menu.tables"), openTables],
      ...(ofLine("entries") ?? []),
      !owner && view && !view.watching && [t("menu.leave"), openInvite],
    ],
    "menu.yours": [
      owner && [t("daily.title"), openDaily],
      hello && [t("lessons.menu"), openLearn],
      owner && [t("menu.games"), openRecords],
      owner && [t("menu.statistics"), openStatistics],
      owner && [t("achievements.title"), openAchievements],
    ],
    "menu.page": [
      [t("menu.settings"), openSettings],
      [t("help.title"), openHelp],
      hello && !ofLine("entries") && [signOutWords(), openSignOut],
    ],
  };
  openDialog("menu", t("more"), Object.entries(groups).map(([key, entries]) => section(t(key), entries)));
}

// A group of entries with its heading, or nothing where it is empty.
function section(words, entries) {
  const shown = entries.filter(Boolean);
  const items = shown.map(([name, open]) => el("li", {}, button(name, () => (closeDialog(), open()))));
  return items.length > 0 && el("section", {}, el("h3", {}, words), el("ul", {}, items));
}
