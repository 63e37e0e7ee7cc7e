// The WebSocket to the server, which reconnects by itself.

import { VERSION } from "/version.js";

const OK = 200;
const REFUSED = 403;
/** The answer of an old server that does not report its version. */
const UNKNOWN = 404;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

export class Connection {
  /**
   * @param path of the WebSocket
   * @param greeting returns the first message of every connection
   * @param heard called with each message
   * @param changed called with null when connected, else with the seconds until the next try
   * @param outdated called when another version of the server answers; no further try follows
   */
  constructor(path, greeting, heard, changed, outdated) {
    Object.assign(this, { path, greeting, heard, changed, outdated, wait: FIRST_WAIT });
    addEventListener("online", () => this.reconnect());
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.say(this.greeting());
      this.changed(null);
    });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.isOver || this.retry());
  }

  /** Never reconnect: the server has closed this page for good. */
  end() {
    this.isOver = true;
  }

  retry() {
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.changed(Math.ceil(wait / 1000));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.reconnect(), wait);
  }

  async reconnect() {
    if (this.isOver || this.isAsking || this.socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.isAsking = true;
    const { status, version, message } = await versionOfServer();
    this.isAsking = false;
    if (version === VERSION) this.connect();
    else if (status === REFUSED) this.heard({ type: "end", message, watch: false });
    else if (status === OK || status === UNKNOWN) {
      this.end();
      this.outdated();
    } else this.retry();
  }

  /** Send a message; returns whether there was a connection to send it on. */
  say(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}

/** The server's answer to a request for its version; the status is 0 if it does not answer. */
async function versionOfServer() {
  try {
    const answer = await fetch("/api/version");
    return { status: answer.status, ...(answer.status === UNKNOWN ? {} : await answer.json()) };
  } catch {
    return { status: 0 };
  }
}
