// A link for others: to be copied, and as a QR code for a phone's camera.

import { button, el, picture, svg } from "../../dom.js";
import { copyText } from "../records/records.js";
import { t } from "../../texts.js";

const QUIET = 4; // modules around a code

// words: what the link is; rows: the code's modules, "1" for a dark one
export function linkBox(words, link, rows) {
  const input = el("input", { type: "text", readonly: "", "aria-label": words, value: link });
  return [el("div.row", {}, input, button(t("copy"), () => copyText(link))), codeOf(rows)];
}

function codeOf(rows) {
  const size = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index }) =>
    `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`));
  return el("div.qr", {}, picture(size, size, svg("path", { d: dark.join("") })));
}
