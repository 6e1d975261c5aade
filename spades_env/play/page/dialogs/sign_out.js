// Signing out: the owner in every browser at once, a guest from the table. The server then closes the page's
// connection, and a new one needs the printed address, or a link.

import { closeDialog, openDialog } from "./dialog.js";
import { button, el } from "../dom.js";
import { notice } from "../speech.js";
import { state } from "../state.js";
import { t } from "../texts.js";

export const signOutWords = () => t(state.hello.guest ? "sign_out.guest" : "sign_out");

export function openSignOut() {
  openDialog("sign-out", signOutWords(), [
    el("p", {}, t(state.hello.guest ? "sign_out.guest_words" : "sign_out.words")),
    el("div.row", {}, [
      button(signOutWords(), signOut, "button.strong"),
      button(t("sign_out.stay"), closeDialog),
    ]),
  ]);
}

async function signOut() {
  const answer = await fetch("/sign-out", { method: "POST" }).catch(() => null);
  if (answer?.ok) location.assign("/");
  else notice(t("try_again"));
}
