// The page on which the game runs in the browser: the table's own script talks to a worker instead
// of a server, by the same requests and messages.

const KEY = "impulse.play";
const OPEN = 1;
const CLOSED = 3;
const byId = (id) => document.getElementById(id);

// --- The worker ---------------------------------------------------------------------------------

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let last = 0;
let socket = null;

/** Ask the worker; resolves to its answer, or rejects with the reason. */
function ask(request, text = "") {
  const id = ++last;
  worker.postMessage({ id, request, text });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const HEARD = {
  answer({ id, value, error }) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  },
  progress: ({ text }) => say(text),
  keep: ({ text }) => localStorage.setItem(KEY, text),
  message: ({ text }) => socket?.dispatchEvent(new MessageEvent("message", { data: text })),
};

worker.addEventListener("message", ({ data }) => HEARD[data.kind](data));
worker.addEventListener("error", () => say("This browser could not load the game."));

// --- In place of the server ---------------------------------------------------------------------

const fetchFile = globalThis.fetch.bind(globalThis);

globalThis.fetch = async (address, options) => {
  if (typeof address !== "string" || !address.startsWith("/")) return fetchFile(address, options);
  if (address.startsWith("/static/")) return fetchFile(`.${address.slice("/static".length)}`);
  const answer = await ask("answer", address);
  return new Response(answer ?? "", { status: answer === undefined ? 404 : 200 });
};

globalThis.WebSocket = class extends EventTarget {
  static OPEN = OPEN;
  static CLOSED = CLOSED;

  constructor() {
    super();
    socket = this;
    this.readyState = 0;
    ask("connect").then(() => {
      this.readyState = OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  send(text) {
    ask("hear", text);
  }
};

// --- The start ----------------------------------------------------------------------------------

function say(text) {
  byId("begin-status").textContent = text;
}

const level = () => byId("begin-level").value;

async function play(request, text) {
  byId("begin-buttons").hidden = true;
  const token = await ask(request, text);
  history.replaceState(null, "", `#${token}`);
  document.body.classList.add("playing");
  await import(new URL("table.js", import.meta.url));
}

function deal() {
  const seed = new URLSearchParams(location.search).get("seed");
  const request = JSON.stringify({ seats: ["person", level()] });
  return play("begin", seed === null ? request : `${request.slice(0, -1)},"seed":${BigInt(seed)}}`);
}

async function saveRecord() {
  const text = await ask("answer", "/record");
  if (text === undefined) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = "impulse.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("#record-button[aria-disabled=false]");
    if (!button) return;
    event.stopPropagation();
    saveRecord();
  },
  true,
);

async function start() {
  await ask("load");
  say("");
  const { agents } = JSON.parse(await ask("answer", "/api/setup"));
  const options = Object.entries(agents).map(([name, about]) => new Option(`${name}: ${about}`, name));
  byId("begin-level").replaceChildren(...options);
  byId("begin-level").value = "greedy";
  byId("begin-buttons").hidden = false;
  byId("begin-new").addEventListener("click", deal);
  const saved = localStorage.getItem(KEY);
  byId("begin-resume").hidden = saved === null;
  byId("begin-resume").addEventListener("click", () =>
    play("resume", saved).catch((error) => {
      say(`The saved game cannot be opened: ${error.message}`);
      byId("begin-buttons").hidden = false;
      byId("begin-resume").hidden = true;
    }),
  );
  document.documentElement.dataset.ready = "yes";
  await navigator.serviceWorker?.register("offline.js");
}

globalThis.impulse = { ask };
start().catch((error) => {
  say(`The game cannot start: ${error.message}`);
  document.documentElement.dataset.failed = error.message;
});
