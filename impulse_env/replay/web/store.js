// The data of the page, unpacked so that each step is there at once.

const NOTHING = -1;

// Points by seat and source after each step: sums[step][seat][source].
function sumsOfPoints(data) {
  const sums = [data.start.map(() => data.sources.map(() => 0))];
  let next = 0;
  for (let step = 1; step <= data.steps; step += 1) {
    const now = sums[step - 1].map((row) => row.slice());
    for (; next < data.points.length && data.points[next][0] === step; next += 1) {
      const [, seat, source, gained] = data.points[next];
      if (source < data.sources.length) now[seat][source] += gained;
    }
    sums.push(now);
  }
  return sums;
}

// The fragment of each part of the drawing, for each step, as somebody sees it.
function fragmentsByStep(eye) {
  const byStep = [];
  let now = new Int32Array(eye.parts.length).fill(NOTHING);
  for (const changes of eye.changes) {
    now = now.slice();
    for (let k = 0; k < changes.length; k += 2) now[changes[k]] = changes[k + 1];
    byStep.push(now);
  }
  return byStep;
}

class Game {
  constructor(data) {
    this.data = data;
    this.seats = data.start.map((_, seat) => seat);
    this.sums = sumsOfPoints(data);
    this.scores = this.sums.map((rows) =>
      rows.map((row, seat) => data.start[seat] + row.reduce((sum, points) => sum + points, 0)),
    );
    this.drawn = new Map();
  }

  text(number) {
    return this.data.texts[number];
  }

  // A text for people, who count seats from 1.
  told(number) {
    return forPeople(this.text(number));
  }

  drawing(eye) {
    if (!this.drawn.has(eye)) this.drawn.set(eye, fragmentsByStep(eye));
    return this.drawn.get(eye);
  }

  // What is shown of a step by somebody's eyes; positions of branches have the same fields.
  at(eye, step) {
    const { seats, turns, fragments } = this.data;
    return {
      step,
      node: null,
      seat: seats[step],
      turn: turns[step],
      scores: this.scores[step],
      sums: this.sums[step],
      prompt: this.told(eye.prompts[step]),
      choices: eye.choices[step].map(([name, text, share]) => ({
        name: this.text(name),
        text: this.told(text),
        share,
      })),
      chosen: eye.chosen[step],
      note: eye.notes[step],
      parts: Array.from(this.drawing(eye)[step], (number) => fragments[number]),
    };
  }

  // The first step of the turn before (-1) or after (1) the one that a step is in.
  turnFrom(step, direction) {
    const { turns, steps } = this.data;
    let there = step;
    if (direction > 0) {
      while (there < steps && turns[there] === turns[step]) there += 1;
      return there;
    }
    while (there > 0 && turns[there - 1] === turns[step]) there -= 1;
    if (there < step || there === 0) return there;
    const before = turns[there - 1];
    while (there > 0 && turns[there - 1] === before) there -= 1;
    return there;
  }
}
