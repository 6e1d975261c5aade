// Playing with others: the link for them, the guests who have come, and the way to leave one's own seat.

import { ask, ofLine } from "../../connection.js";
import { closeDialog, openDialog, sureButton } from "../dialog.js";
import { button, el } from "../../dom.js";
import { face } from "../../art/faces.js";
import { linkBox } from "./link_box.js";
import { yourName } from "../settings_dialog.js";
import { attempt, notice } from "../../speech.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

export function openInvite() {
  const { view, hello } = state;
  const owner = !hello.guest;
  const others = view?.seats.some((seat) => seat.person && seat.seat !== view.seat);
  const link = el("div.link");
  const guests = el("section.guests", { "aria-label": t("guests.title") });
  openDialog("invite", t("invite.title"), [
    owner && link,
    owner && guests,
    yourName(),
    el("p", {}, t("invite.kept")),
    view && !view.watching && (!owner || others) && button(t("invite.leave"), () => attempt(getUp)),
  ].filter(Boolean));
  if (!owner) return;
  showLink(link);
  showGuests(guests, link);
}

async function getUp() {
  await ask("leave");
  closeDialog();
}

// The link

// Names that would lead other people to their own machine.
const LOCAL = /^(127\..*|localhost|\[::1\])$/;

async function showLink(box) {
  try {
    const here = LOCAL.test(location.hostname) || ofLine("invite") ? null : location.origin;
    const { path, origin, reach, code, opens } = await ask("invite", { begin: here });
    if (ofLine("invite")) {
      await ofLine("invite")(box, path, () => showGuests(box.nextElementSibling, box));
    } else if (code) {
      const end = sureButton(t("invite.end"), t("invite.end_sure"), () => attempt(() => endLink(box)));
      const link = linkBox(t("invite.link"), `${here ?? origin}${path}`, code);
      box.replaceChildren(el("p", {}, t("invite.who")), ...link, end);
      box.querySelector("input").select();
    } else if (opens) {
      box.replaceChildren(el("p", {}, t("invite.closed")), el("p", {}, t("invite.open_about", { address: opens })),
        button(t("invite.open"), () => attempt(() => openDoor(box)), "button.strong"));
    } else {
      box.replaceChildren(el("p", {}, reach));
    }
  } catch (error) {
    box.replaceChildren(el("p", {}, error.message));
  }
}

// Let others on the network connect; then there is a link for them.
async function openDoor(box) {
  await ask("open_door");
  await showLink(box);
}

async function endLink(box) {
  await ask("revoke");
  showEnded(box);
  box.querySelector("button").focus();
}

function showEnded(box) {
  const another = button(t("invite.new"), () => showLink(box));
  box.replaceChildren(el("p", { role: "status" }, t("invite.ended")), another);
}

// The guests

async function showGuests(box, link) {
  await attempt(async () => {
    const { guests } = await ask("guests");
    box.replaceChildren(...(guests.length ? [
      el("h3", { tabindex: "-1" }, t("guests.title")),
      el("ul.places", {}, guests.map((one) => guestRow(one, box, link))),
      el("p.quiet", {}, t("guests.how")),
    ] : []));
  });
}

function guestRow(one, box, link) {
  const who = one.name ?? t("guests.somebody");
  const notes = [one.place ?? t("guests.no_seat"), one.place && !one.plays && t("guests.bot"), !one.here && t("away")];
  return el("li", {}, [
    el("span.face", {}, face(who, true, null, one.face)),
    el("span", {}, el("b", {}, who), el("small", {}, notes.filter(Boolean).join(" · "))),
    el("div.row", {}, [one.place && freeButton(one, who, box, link), one.guest && outButton(one, who, box, link)]),
  ]);
}

function freeButton({ seat }, who, box, link) {
  return sureButton(t("guests.free"), t("guests.free_sure"), () => attempt(async () => {
    await ask("free", { seat });
    await again(box, link);
  }), t("guests.free_of", { who }));
}

function outButton({ guest }, who, box, link) {
  return sureButton(t("guests.put_out"), t("guests.put_out_sure"), () => attempt(async () => {
    await ask("put_out", { guest });
    notice(t("guests.gone", { who }));
    showEnded(link);
    await again(box, link);
  }), t("guests.put_out_of", { who }));
}

// List the guests again, and keep the focus near the row that it was in.
async function again(box, link) {
  await showGuests(box, link);
  (box.querySelector("h3") ?? link.querySelector("button"))?.focus();
}
