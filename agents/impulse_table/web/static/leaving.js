// Ways out of a game: an agent plays for the person, resignation, an end to which all agree.

import { agentChoices, levelAgent, tableOf } from "./agents.js";
import { byId, fill, make, makeButton, renew, show } from "/kit/elements.js";
import { seatName, seatWith } from "/kit/numbering.js";
import { calledAt } from "./people.js";

export class Leaving {
  /** @param say sends a message to the server */
  constructor(say) {
    this.say = say;
    byId("leave-button").addEventListener("click", () => this.open());
    byId("play-on").addEventListener("click", () => {
      say({ type: "delegate", seat: this.seat(), agent: byId("leave-agent").value });
      byId("leave").close();
    });
    this.twice("resign", "Resign for good", () => ({ type: "resign", seat: this.seat(), agent: byId("leave-agent").value }));
    this.twice("concede", "End it now", () => ({ type: "concede" }));
    byId("concede-agree").addEventListener("click", () => say({ type: "answer", agrees: true, to: "concede" }));
    byId("concede-refuse").addEventListener("click", () => say({ type: "answer", agrees: false, to: "concede" }));
    byId("leave").addEventListener("close", () => this.calm());
  }

  /** Send a message at the second press of a button, which asks in between. */
  twice(id, question, message) {
    const button = byId(id);
    button.dataset.label = button.textContent;
    button.addEventListener("click", () => {
      if (button.dataset.asks) {
        this.say(message());
        byId("leave").close();
      } else {
        this.calm();
        button.dataset.asks = "yes";
        button.textContent = question;
      }
    });
  }

  calm() {
    for (const button of [byId("resign"), byId("concede")]) {
      delete button.dataset.asks;
      button.textContent = button.dataset.label;
    }
  }

  /** The agents to choose from. */
  offer(setup) {
    this.setup = setup;
  }

  seat() {
    return Number(byId("leave-seat").value);
  }

  /** Seats of this page whose persons can leave. */
  own() {
    const { here, seats } = this.state;
    return here.filter((seat) => seats[seat].person && !seats[seat].resigned);
  }

  open() {
    if (!this.state || !this.setup) return;
    const { by, seats } = this.state;
    const own = this.own();
    fill(byId("leave-seat"), own.map((seat) => [seat, seatName(seat)]), own.includes(by) ? by : own[0]);
    show(byId("leave-which"), own.length > 1);
    fill(byId("leave-agent"), agentChoices(this.setup, ...tableOf(seats)), levelAgent(this.setup, seats));
    const others = seats.filter(({ person, resigned, seat }) => person && !resigned && !own.includes(seat));
    byId("resign-about").textContent = this.endsAlone(others)
      ? "You give up the seat, and the game ends. In a game of two the other player wins."
      : "You give up the seat for good. The agent plays it to the end.";
    byId("concede-about").textContent = others.length
      ? "The game ends for all, without a winner, once everybody at the table agrees."
      : "The game ends here, without a winner.";
    byId("leave").showModal();
  }

  endsAlone(others) {
    return this.state.seats.length === 2 || (others.length === 0 && this.own().length === 1);
  }

  /** Follow the state of the table. */
  update(state) {
    this.state = state;
    const { seats, here, over, conceding } = state;
    const canLeave = !over && this.own().length > 0;
    show(byId("leave-button"), canLeave);
    if (!canLeave && byId("leave").open) byId("leave").close();
    const played = over ? [] : here.filter((seat) => seats[seat].delegated || seats[seat].late);
    renew(byId("played-for"), played.map((seat) => this.line(seats[seat])));
    show(byId("played-for"), played.length > 0);
    const isAsked = Boolean(conceding) && conceding.waiting.some((seat) => here.includes(seat));
    const isOwn = Boolean(conceding) && here.includes(conceding.seat);
    show(byId("conceding"), Boolean(conceding));
    byId("conceding").textContent = conceding ? words(conceding, isAsked, isOwn, seats) : "";
    show(byId("concede-agree"), isAsked);
    show(byId("concede-refuse"), isAsked || isOwn);
    byId("concede-refuse").textContent = isOwn ? "Withdraw" : "No, play on";
  }

  line({ seat, stand_in: agent, resigned, late }) {
    const whose = this.state.here.length > 1 ? `for ${seatName(seat)}` : "for you";
    const only = (text) => make("li", {}, make("span", { text: text }));
    if (resigned) return only(`You have resigned; ${agent} continues ${whose}.`);
    if (late) {
      const until = late === "turn" ? "until the turn ends" : "to the end";
      return only(`The time is up: ${agent} plays ${whose} ${until}.`);
    }
    const back = () => this.say({ type: "delegate", seat, agent: null });
    const ariaLabel = `Take the seat back: ${seatName(seat)}`;
    return make(
      "li",
      {},
      make("span", { text: `${agent} plays ${whose}.` }),
      makeButton(back, { ariaLabel, text: "Take the seat back" }),
    );
  }
}

function words({ seat, waiting }, isAsked, isOwn, seats) {
  const who = seatWith(seat, calledAt(seats[seat]));
  if (isAsked && !isOwn) return `${who} proposes to end the game now, without a winner.`;
  const awaited = waiting.map(seatName).join(", ");
  return `${isOwn ? "You propose" : `${who} proposes`} to end the game; ${awaited} must agree.`;
}
