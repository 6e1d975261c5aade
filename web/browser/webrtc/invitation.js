// How the host invites friends: a link for each, and a place for the answer.

import { LINK, shown } from "./links.js";
import { button, el, put } from "../page/dom.js";
import { notice } from "../page/speech.js";
import { t } from "../page/texts.js";

// What a line has for the dialog about others; host: as host.js makes it
export function invitationTo(host) {
  const answers = new BroadcastChannel("spades"); // from answer.js, in another tab
  let now = null; // the dialog's part about the link, as it was opened last: {box, path, arrived, input, link}; link: nodes
  let filling = 0; // counts how often a link was asked for: only the last one is shown
  let taking = null; // what is done with the answer that was pasted: a double click is one

  // Let somebody in by their answer. What comes of it is said in the dialog, or in a notice where that is closed.
  async function take(answer) {
    tell(t("friends.connecting"));
    const key = await host.answer(answer);
    if (key === "friends.arrived" && now?.box.isConnected) {
      if (now.input.value === answer) now.input.value = "";
      await fill();
    }
    tell(t(key));
    return t(key);
  }

  function tell(words) {
    const status = now?.box.isConnected && now.box.querySelector("[role=status]");
    if (status) put(status, words);
    else notice(words);
  }

  answers.onmessage = async ({ data: { answer } }) => {
    if (!answer || !host.hasBegun()) return; // another tab may have the table
    answers.postMessage({ taken: t("friends.connecting") });
    answers.postMessage({ taken: await take(answer) });
  };

  host.onArrival(() => now?.box.isConnected && now.arrived());

  async function fill(another = false) {
    if (!navigator.onLine) {
      wait(another);
      return;
    }
    const { box, path, input } = now;
    const mine = ++filling;
    const offer = await host.offer(another);
    if (mine !== filling) return;
    const link = `${location.origin}${location.pathname}${LINK}${path.split("/").at(-1)}.${offer}`;
    const before = now.link;
    now.link = shown(t("invite.link"), link);
    if (before) return void before.forEach((node, i) => node.replaceWith(now.link[i])); // the focus stays
    box.replaceChildren(
      el("p", {}, t("friends.own_link")),
      el("p.quiet", {}, t("friends.trust")),
      ...now.link,
      el("p", {}, t("friends.how")),
      el("div.row", {}, input, button(t("friends.let_in"), () => {
        taking ??= take(input.value).finally(() => { taking = null; });
      })),
      el("p", { role: "status" }),
      button(t("friends.another"), () => fill(true)),
      el("p.quiet", {}, t("friends.network")),
    );
  }

  // Offline, this page has no address to put into a link.
  function wait(another) {
    now.link = null;
    now.box.replaceChildren(el("p", { role: "status" }, t("friends.offline")));
    addEventListener("online", () => now.box.isConnected && fill(another), { once: true });
  }

  const invite = (box, path, arrived) => {
    const input = el("input", { type: "text", autocomplete: "off", "aria-label": t("friends.answer_in") });
    input.placeholder = t("friends.answer_in");
    now = { box, path, arrived, input, link: null };
    return fill();
  };
  return { invite };
}
