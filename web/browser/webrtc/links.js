// Links to a table, and answers to them.

import { generate } from "../qr.js";
import { linkBox } from "../page/dialogs/people/link_box.js";

export const LINK = "#join=";

export const shown = (words, link) => linkBox(words, link, rowsOf(link));

function rowsOf(link) {
  const code = generate(link);
  const places = [...Array(code.size).keys()];
  return places.map((y) => places.map((x) => (code.get(x, y) ? "1" : "0")).join(""));
}
