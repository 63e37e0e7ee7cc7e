// The WebSocket to the server, which comes back by itself after it was lost.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

export class Connection {
  /**
   * @param path of the WebSocket
   * @param greeting what to say first, after every reconnection too
   * @param heard called with each message
   * @param changed called with null when connected, else with the seconds until the next try
   */
  constructor(path, greeting, heard, changed) {
    Object.assign(this, { path, greeting, heard, changed, wait: FIRST_WAIT });
    addEventListener("online", () => this.reconnect());
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}${this.path}`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.say(this.greeting());
      this.changed(null);
    });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.isOver || this.retry());
  }

  /** Come back no more: the server has said that there is nothing to come back to. */
  end() {
    this.isOver = true;
  }

  retry() {
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.changed(Math.ceil(wait / 1000));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  reconnect() {
    if (this.isOver || this.socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.connect();
  }

  /** Send a message; returns whether there was a connection to send it on. */
  say(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
