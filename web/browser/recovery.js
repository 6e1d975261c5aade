// The screen in place of the table: what is wrong, and the ways out. It works without Python and without the worker.

import { allFiles, bringBack, oldFiles, replaceAll } from "./kept.js";
import { button, el } from "./page/dom.js";
import { t } from "./page/texts.js";
import { zipped } from "./zip.js";

const reload = () => location.reload();

// The table can't be opened. ofKept: is it because of the files that are kept?
export async function showFailure(title, words, ofKept) {
  const [now, old] = await Promise.all([allFiles(), oldFiles()]).catch(() => [[], []]);
  const fresh = () => replaceAll([]).then(reload);
  const back = () => bringBack().then(reload);
  show(title, words, [
    [t("site.try_again"), reload],
    now.length > 0 && [t("site.export"), async () => download(await zipped(now)), t("site.export_about")],
    ofKept && old.length > 0 && [t("site.back"), back, t("site.back_about")],
    ofKept && [t("site.fresh"), fresh, t(old.length ? "site.fresh_instead" : "site.fresh_about")],
  ].filter(Boolean));
}

// The table can be played at, but nothing is kept.
export function showUnkept(why) {
  show(t("site.unkept"), [t("site.unkept_why"), why], [
    [t("site.play_anyway"), playAnyway],
    [t("site.try_again"), reload],
  ]);
}

function playAnyway() {
  document.querySelector(".recovery").remove();
  document.getElementById("table").focus();
}

export function download(content) {
  const link = el("a", { href: URL.createObjectURL(new Blob([content], { type: "application/zip" })) });
  link.download = "spades.zip";
  link.click();
  URL.revokeObjectURL(link.href);
}

// words: sentences, the last one for whoever wants to know more; choices: [words, act, what it does].
function show(title, words, choices) {
  const refusal = el("p.bad", { role: "alert" });
  const attempt = (act) => () => Promise.resolve().then(act).catch((error) => {
    refusal.textContent = t("error.unsaved", { why: error.name === "QuotaExceededError" ? t("site.full") : String(error) });
  });
  const items = choices.map(([name, act, about], i) => {
    const pressed = button(name, attempt(act), i ? "button" : "button.strong");
    if (about) pressed.setAttribute("aria-describedby", `recovery-${i}`);
    return el("li", {}, pressed, about && el("p.quiet", { id: `recovery-${i}` }, about));
  });
  const said = words.filter(Boolean).map((one, i) => el(i ? "p.quiet" : "p", {}, one));
  const named = { role: "alertdialog", "aria-labelledby": "recovery-title", "aria-describedby": "recovery-words" };
  const node = el("dialog.recovery", named, [
    el("header", {}, el("h2", { id: "recovery-title" }, title)),
    el("div.body", {}, el("div", { id: "recovery-words" }, said), el("ul", {}, items), refusal),
  ]);
  node.addEventListener("cancel", stayOpen);
  node.addEventListener("close", () => node.isConnected && node.showModal()); // by a second Escape
  document.querySelector(".recovery")?.remove();
  document.body.append(node);
  node.showModal();
  node.querySelector("button").focus();
}

// The table's own keys do nothing meanwhile, wherever the focus is, and Escape leads nowhere.
document.addEventListener("keydown", (event) => document.querySelector(".recovery") && stayOpen(event), true);

function stayOpen(event) {
  event.stopPropagation();
  if (event.type === "cancel" || event.key === "Escape") event.preventDefault();
}
