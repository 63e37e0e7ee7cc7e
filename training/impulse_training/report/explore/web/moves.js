// The table of moves, and the choices so far.

function percent(share) {
  return share === null ? "–" : `${Math.round(100 * share)} %`;
}

function number(count) {
  return count.toLocaleString("en");
}

function stepOf({ turn, step }) {
  return turn === 0 ? step : `turn ${turn}, ${step}`;
}

class Moves {
  constructor(openings, place) {
    this.openings = openings;
    this.place = place;
  }

  show(node) {
    const { openings } = this;
    this.chains = openings.moves(node);
    const hasChances = openings.before !== null;
    const heads = ["Move", "Played", "Won", "Par", ...(hasChances ? ["Chance to win"] : [])];
    const head = heads.map((text) => make("th", { text, scope: "col", class: this.column(text) }));
    const rows = this.chains.map((chain) => this.row(node, chain, hasChances));
    this.place.hidden = rows.length === 0;
    this.place.replaceChildren(
      make("caption", { class: "spoken", text: "The moves from here" }),
      make("thead", {}, make("tr", {}, ...head)),
      make("tbody", {}, ...rows),
    );
  }

  column(head) {
    return head.split(" ")[0].toLowerCase();
  }

  row(node, chain, hasChances) {
    const { openings } = this;
    const last = chain.at(-1);
    const played = openings.played[last];
    const cells = [
      make("th", { scope: "row", class: "move" }, this.link(chain)),
      this.playedCell(played, openings.played[node]),
      this.wonCell(openings.won[last], openings.par[last], played),
      make("td", { class: "par", text: percent(openings.par[last] / played) }),
    ];
    if (hasChances) cells.push(this.chanceCell(chain));
    return make("tr", {}, ...cells);
  }

  link(chain) {
    const choices = chain.map((one) => this.openings.choice(one));
    const link = make("a", { href: `#${chain.at(-1)}` });
    link.append(make("span", { class: "step", text: stepOf(choices[0]) }), " ");
    link.append(choices.map(({ text }) => text).join(", "));
    return link;
  }

  playedCell(played, all) {
    const cell = make("td", { class: "played" }, number(played), " ");
    cell.append(make("small", { text: percent(played / all) }), make("i", {}));
    cell.style.setProperty("--share", played / all);
    return cell;
  }

  wonCell(won, par, played) {
    const share = won / played;
    const [low, high] = wilson(won, played);
    const cell = make("td", { class: "won" }, percent(share), " ");
    const interval = `${Math.round(100 * low)}–${Math.round(100 * high)}`;
    cell.append(make("small", { text: interval, title: "95 % interval" }), make("i", {}));
    const bar = { share, low, high, par: par / played };
    for (const [name, value] of Object.entries(bar)) cell.style.setProperty(`--${name}`, value);
    return cell;
  }

  chanceCell(chain) {
    const { openings } = this;
    const before = openings.mean(openings.before, chain[0]);
    const after = openings.mean(openings.after, chain.at(-1));
    return make("td", { class: "chance", text: `${percent(before)} → ${percent(after)}` });
  }
}

class Path {
  constructor(openings, place) {
    this.openings = openings;
    this.place = place;
  }

  show(node) {
    const nodes = this.openings.path(node);
    const crumbs = [this.crumb(ROOT, "the deal", nodes.length === 0)];
    for (const at of nodes) {
      const choice = this.openings.choice(at);
      const crumb = this.crumb(at, choice.text, at === node);
      if (choice.begins) crumb.prepend(make("span", { class: "step", text: stepOf(choice) }), " ");
      crumb.classList.toggle("within", !choice.begins);
      crumbs.push(crumb);
    }
    this.place.replaceChildren(...crumbs);
  }

  crumb(node, text, isLast) {
    const link = make("a", { href: `#${node}`, text });
    if (isLast) link.setAttribute("aria-current", "location");
    return make("li", {}, link);
  }
}
