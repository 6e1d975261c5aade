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
import { openTakeback } from "./takeback.js";

export function openMenu() {
  const { view, hello } = state;
  const owner = hello && !hello.guest;
  const entries = [
    view && ["Rules of this table", openRules],
    view?.can.takeback > 1 && ["Take back several moves", openTakeback],
    view?.sheet.length > 0 && ["Review a hand", () => askReview(view.key, newest().unsettled)],
    owner && ["Games: continue, review, import", openRecords],
    owner && ["Statistics", openStatistics],
    view && ["Fairness", openFairness],
    ...(entriesOfLine() ?? [owner && view && ["Play with others", openInvite]]),
    !owner && view && ["Leave the seat", openInvite],
    ["Settings", openSettings],
    ["Keys", openHelp],
  ].filter(Boolean);
  const items = entries.map(([words, open]) => el("li", {}, button(words, () => (closeDialog(), open()))));
  openDialog("menu", "More", [el("ul", {}, items)]);
}
