// A guest's answer was opened as a link: it goes to the tab with the host's table.

import { button } from "../page/dom.js";
import { t } from "../page/texts.js";

const PATIENCE = 2000; // milliseconds
const loading = document.getElementById("loading");
const words = loading.querySelector("p");
const table = new BroadcastChannel("spades");
const nobody = setTimeout(() => {
  words.textContent = t("friends.no_host");
  words.after(button(t("friends.open"), () => location.assign(location.pathname)));
}, PATIENCE);

loading.querySelector("progress").hidden = true;
words.textContent = t("friends.connecting");
table.onmessage = ({ data: { taken } }) => {
  clearTimeout(nobody);
  if (taken) words.textContent = taken;
};
table.postMessage({ answer: location.hash });
