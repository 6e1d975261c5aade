// The first module: whose page is this? A link to a table, and an answer to one, are in the address.

const PAGES = { "#join": "./webrtc/guest.js", "#answer": "./webrtc/answer.js" };
const wanted = () => PAGES[location.hash.split("=")[0]];
const ownTable = !wanted();

addEventListener("hashchange", () => {
  if (ownTable && wanted() === PAGES["#answer"]) takeAnswer();
  else if (wanted()) location.reload();
});
await import(wanted() ?? "./start.js");

// An answer to a link of the table in this page, which ends if it is loaded again.
function takeAnswer() {
  const table = new BroadcastChannel("spades");
  table.postMessage({ answer: location.hash });
  table.close();
  history.replaceState(null, "", location.pathname);
}
