// Signing out: the owner in every browser at once, a guest from the table. The server then closes the page's
// connection, and a new one needs the printed address, or a link.

import { closeDialog, openDialog } from "./dialog.js";
import { button, el } from "../dom.js";
import { attempt, notice } from "../speech.js";
import { state } from "../state.js";
import { t } from "../texts.js";

export const signOutWords = (guest = state.hello.guest) => t(guest ? "sign_out.guest" : "sign_out");

// act: signs out where there is no server to be asked
export function openSignOut(act = signOut, guest = state.hello.guest) {
  openDialog("sign-out", signOutWords(guest), [
    el("p", {}, t(guest ? "sign_out.guest_words" : "sign_out.words")),
    el("div.row", {}, [
      button(signOutWords(guest), () => attempt(act), "button.strong"),
      button(t("sign_out.stay"), closeDialog),
    ]),
  ]);
}

async function signOut() {
  const answer = await fetch("/sign-out", { method: "POST" }).catch(() => null);
  if (answer?.ok) location.assign("/");
  else notice(t("try_again"));
}
