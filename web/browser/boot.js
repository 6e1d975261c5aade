// Starts Python with our packages and the kernels in it: in a worker, and under node to compare it with the native one.

export const HOME = "/spades";

export async function boot(loadPyodide, indexURL, archive) {
  const py = await loadPyodide({ indexURL });
  py.unpackArchive(archive, "zip", { extractDir: HOME });
  for (const kind of ["levels", "beliefs"]) py.FS.mkdirTree(`${HOME}/agents/${kind}`); // where weights go
  py.runPython(`import sys; sys.path.insert(0, "${HOME}")`);
  return py;
}
