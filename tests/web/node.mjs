// Run Python with the packages and kernels of a site under node: node tests/web/node.mjs SITE CODE

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, code] = process.argv.slice(2);
const folder = readdirSync(site).map((name) => resolve(site, name)).find((path) => /\/v-\w+$/.test(path));
const { boot, HOME } = await import(pathToFileURL(join(folder, "boot.js")));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide/pyodide.mjs")));
const weights = Object.keys(JSON.parse(readFileSync(join(folder, "weights.json"))));
const archive = new Uint8Array(readFileSync(join(folder, "app.zip")));
const py = await boot(loadPyodide, join(folder, "pyodide/"), archive, weights);
for (const name of weights) {
  py.FS.writeFile(`${HOME}/agents/${name}`, readFileSync(join(folder, "weights", name)));
}
py.FS.writeFile(`${HOME}/web/sittings.py`, readFileSync(join(import.meta.dirname, "../../web/sittings.py")));
py.FS.writeFile(`${HOME}/equal_play.py`, readFileSync(join(import.meta.dirname, "equal_play.py")));
try {
  py.runPython(code);
} catch (error) { // node would print Pyodide's source, in one line
  console.error(error.message);
  process.exit(1);
}
