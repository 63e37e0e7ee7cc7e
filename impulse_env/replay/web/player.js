// The controls: one place that knows which step is shown, and by whose eyes.

class Player {
  constructor(game) {
    this.game = game;
    this.step = 0;
    this.eye = game.data.eyes[0];
    this.timer = null;
    const goTo = (step) => {
      this.pause();
      this.go(step);
    };
    const place = (id) => document.getElementById(id);
    this.slider = place("slider");
    this.where = place("where");
    this.playButton = place("play");
    this.speed = place("speed");
    this.eyes = place("eyes");
    this.slider.max = game.data.steps;
    this.board = new Board(game, place("board"));
    this.log = new Log(game, place("log"), goTo);
    this.analysis = new Analysis(game, goTo);
    this.decision = new DecisionPanel(game, this.analysis);
    this.board.show(this.eye, 0); // it defines the marks that the others use
    this.chart = new Chart(game, place("chart"), place("sources"), goTo);
    this.listen(place, goTo);
    this.introduce(place);
  }

  listen(place, goTo) {
    this.slider.addEventListener("input", () => goTo(Number(this.slider.value)));
    place("first").addEventListener("click", () => goTo(0));
    place("back").addEventListener("click", () => goTo(this.step - 1));
    place("forward").addEventListener("click", () => goTo(this.step + 1));
    place("last").addEventListener("click", () => goTo(this.game.data.steps));
    this.playButton.addEventListener("click", () => this.toggle());
    this.speed.addEventListener("change", () => {
      if (this.timer !== null) this.play();
    });
    this.eyes.addEventListener("change", () => {
      this.eye = this.game.data.eyes[this.eyes.selectedIndex];
      this.go(this.step);
    });
    const keys = {
      ArrowLeft: () => goTo(this.step - 1),
      ArrowRight: () => goTo(this.step + 1),
      PageUp: () => goTo(this.game.turnFrom(this.step, -1)),
      PageDown: () => goTo(this.game.turnFrom(this.step, 1)),
      Home: () => goTo(0),
      End: () => goTo(this.game.data.steps),
      ArrowUp: () => goTo(0),
      ArrowDown: () => goTo(this.game.data.steps),
      j: () => goTo(this.step + 1),
      k: () => goTo(this.step - 1),
      n: () => goTo(this.analysis.next(this.step, 1)),
      p: () => goTo(this.analysis.next(this.step, -1)),
      " ": () => this.toggle(),
    };
    document.addEventListener("keydown", (event) => {
      const isElsewhere = event.ctrlKey || event.altKey || event.metaKey;
      const isOnControl = event.target.closest("select") !== null;
      const isPress = event.key === " " && event.target.closest("button") !== null;
      if (isElsewhere || isOnControl || isPress || !(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  introduce(place) {
    const { data } = this.game;
    place("agents").replaceChildren(
      ...data.agents.map((agent, seat) => {
        const isTeams = data.teams < data.agents.length;
        const team = isTeams ? ` (team ${seat % data.teams})` : "";
        const line = make("li", {}, markOf(seat), make("span", { text: agent + team }));
        if (data.winners.includes(seat)) line.append(make("strong", { text: "won" }));
        return line;
      }),
    );
    this.eyes.replaceChildren(...data.eyes.map((eye) => make("option", { text: eye.name })));
    place("eyes-label").classList.toggle("only", data.eyes.length === 1);
    let ending = "";
    if (data.end === NOTHING) ending = "The record was cut off.";
    else if (!data.is_over) ending = `Not played to the end: ${data.why}`;
    place("ending").textContent = ending;
  }

  go(step) {
    this.step = Math.min(Math.max(step, 0), this.game.data.steps);
    this.slider.value = this.step;
    const { turns, steps } = this.game.data;
    this.where.textContent = `${this.step} of ${steps}, turn ${turns[this.step]}`;
    this.slider.setAttribute("aria-valuetext", this.where.textContent);
    this.board.show(this.eye, this.step);
    this.decision.show(this.eye, this.step);
    this.log.show(this.eye, this.step);
    this.chart.show(this.step);
    this.analysis.show(this.step);
    history.replaceState(null, "", `#${this.step}`);
    if (this.step === steps) this.pause();
  }

  toggle() {
    if (this.timer !== null) {
      this.pause();
      return;
    }
    if (this.step === this.game.data.steps) this.go(0);
    this.play();
  }

  play() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.go(this.step + 1), Number(this.speed.value));
    this.playButton.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
  }
}

function tell(trouble) {
  const place = document.getElementById("trouble");
  place.textContent = `This page cannot be shown: ${trouble}`;
  place.hidden = false;
}

try {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("the browser is too old; any one of 2023 or later will do.");
  }
  const player = new Player(new Game(await unpack(document.getElementById("data").textContent)));
  document.querySelector("main").hidden = false;
  document.getElementById("controls").hidden = false;
  const asked = () => player.go(Number.parseInt(location.hash.slice(1), 10) || 0);
  addEventListener("hashchange", asked);
  asked();
} catch (error) {
  tell(error.message);
}
