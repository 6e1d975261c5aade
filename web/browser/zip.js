// A zip file, for the games that leave this browser. PKWARE's APPNOTE.TXT has the names of its parts.

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [VERSION, UTF_8, DEFLATED, FIRST_DAY] = [20, 1 << 11, 8, 0x21 << 16];

// The bytes of a zip file; files: [name, content].
export async function zipped(files) {
  const parts = [];
  const listed = [];
  let size = 0;
  for (const [name, content] of files) {
    const plain = new Uint8Array(await new Blob([content]).arrayBuffer());
    const packed = await deflated(plain);
    const path = new TextEncoder().encode(name);
    const about = [[2, VERSION], [2, UTF_8], [2, DEFLATED], [4, FIRST_DAY], [4, checksum(plain)], [4, packed.length],
      [4, plain.length], [2, path.length], [2, 0]];
    listed.push(numbers([4, CENTRAL], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, size]), path);
    const head = numbers([4, LOCAL], ...about);
    parts.push(head, path, packed);
    size += head.length + path.length + packed.length;
  }
  const list = await new Blob(listed).arrayBuffer();
  const count = [[2, files.length], [2, files.length]];
  const end = numbers([4, END], [2, 0], [2, 0], ...count, [4, list.byteLength], [4, size], [2, 0]);
  return new Uint8Array(await new Blob([...parts, list, end]).arrayBuffer());
}

async function deflated(content) {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

// Whole numbers as bytes, the lowest first; given: [bytes, number].
const numbers = (...given) => Uint8Array.from(
  given.flatMap(([length, number]) => Array.from({ length }, (_, i) => number >>> (8 * i))),
);

// CRC-32.
function checksum(content) {
  let sum = -1;
  for (const byte of content) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return ~sum >>> 0;
}
