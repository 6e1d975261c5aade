// Compile the Python files of an archive with the Python that will run them: node web/pack.mjs PYODIDE IN.zip OUT.zip

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: `${pyodide}/` });
py.FS.writeFile("/in.zip", new Uint8Array(readFileSync(from)));
py.runPython(`
import importlib._bootstrap_external as machinery, importlib.util, zipfile

with zipfile.ZipFile("/in.zip") as given, zipfile.ZipFile("/out.zip", "w") as packed:
    for name in sorted(given.namelist()):
        content = given.read(name)
        if name.endswith(".py"):
            code = compile(content, name, "exec", dont_inherit=True, optimize=2)
            content, name = machinery._code_to_hash_pyc(code, importlib.util.source_hash(content), False), name + "c"
        one = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        packed.writestr(one, content, zipfile.ZIP_DEFLATED, 9)
`);
writeFileSync(to, py.FS.readFile("/out.zip"));
