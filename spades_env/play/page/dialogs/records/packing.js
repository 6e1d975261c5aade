// Packs a text into the fragment of an address, and unpacks it: deflated, then as base64 for addresses.

import { t } from "../../texts.js";

const LONGEST = 1_000_000; // bytes that an unpacked text may have

export async function packed(text) {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(word) {
  const letters = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw")));
}

async function through(blob, stream) {
  const reader = blob.stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LONGEST) throw new Error(t("link.too_much"));
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
