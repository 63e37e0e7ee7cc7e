// The worker of the page: Python with the game, in place of a server.

import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL(".", import.meta.url).href;
const FROM_PYTHON = "from in_browser import table";

const fetchWhole = self.fetch.bind(self);
let bytes = 0;

/** Fetch a file; tell the page how much has been loaded. */
self.fetch = async (...asked) => {
  const response = await fetchWhole(...asked).catch((error) => error);
  if (!response.ok) {
    // Pyodide itself waits forever for its program.
    postMessage({ kind: "failed", text: "a file could not be loaded from the network" });
    throw response;
  }
  const count = new TransformStream({
    transform(chunk, counted) {
      bytes += chunk.byteLength;
      postMessage({ kind: "loaded", bytes });
      counted.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), response);
};

async function load() {
  const python = await loadPyodide({ indexURL: HERE });
  postMessage({ kind: "progress", text: "Loading numpy …" });
  await python.loadPackage("numpy", { messageCallback() {} });
  postMessage({ kind: "progress", text: "Loading the game …" });
  const sources = await fetch(new URL("sources.zip", HERE));
  python.unpackArchive(await sources.arrayBuffer(), "zip", { extractDir: "/sources" });
  python.runPython(`import sys; sys.path.insert(0, "/sources"); ${FROM_PYTHON}`);
  return python;
}

/** The module `in_browser.table`, and its one table. */
const loading = load().then((python) => {
  const module = python.globals.get("table");
  const play = module.Play(
    (text) => postMessage({ kind: "message", text }),
    (text, isOver) => postMessage({ kind: "keep", text, isOver }),
  );
  return { module, play };
});

const REQUESTS = {
  load: () => true,
  begin: ({ play }, text) => play.begin(text),
  resume: ({ play }, text) => play.resume(text),
  connect: ({ play }) => play.connect(),
  hear: ({ play }, text) => play.hear(text),
  answer: ({ play }, path) => play.answer(path),
  playOut: ({ module }, text) => module.play_out_from(text),
};

addEventListener("message", async ({ data: { id, request, text } }) => {
  try {
    const value = REQUESTS[request](await loading, text);
    postMessage({ kind: "answer", id, value });
  } catch (error) {
    postMessage({ kind: "answer", id, error: String(error).trim().split("\n").pop().replace(/^[\w.]+: /, "") });
  }
});
