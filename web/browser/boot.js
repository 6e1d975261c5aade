// Starts Python with our packages and the kernels in it: in a worker, and under node to compare it with the native one.

export const HOME = "/spades";

export async function boot(loadPyodide, indexURL, archive, weights) {
  const py = await loadPyodide({ indexURL });
  py.unpackArchive(archive, "zip", { extractDir: HOME });
  for (const name of weights) py.FS.mkdirTree(`${HOME}/agents/${name.split("/")[0]}`);
  py.runPython(`import sys; sys.path.insert(0, "${HOME}")`);
  return py;
}
