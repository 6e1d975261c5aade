// The first module: whose page is this? A link to a table, and an answer to one, are in the address.

const PAGES = { "#join": "./webrtc/guest.js", "#answer": "./webrtc/answer.js" };
const wanted = () => PAGES[location.hash.split("=")[0]];

addEventListener("hashchange", () => wanted() && location.reload());
await import(wanted() ?? "./start.js");
