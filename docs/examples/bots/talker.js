// A bot in JavaScript, for Node.js: it reads the meaning of each action, and prefers some words.

const LIKED = [/command/i, /build/i, /draw/i];

function score(meaning) {
  const rank = LIKED.findIndex((word) => word.test(meaning));
  return rank < 0 ? LIKED.length : rank;
}

function choose({ id, legal, text }) {
  const ranked = [...legal].sort((a, b) => score(text.actions[a]) - score(text.actions[b]));
  return { type: "action", id, action: ranked[0] };
}

function answer(message) {
  if (message.type === "hello") {
    return { type: "hello", protocol: 1, name: "Talker", wants: ["text"] };
  }
  if (message.type === "choose") return choose(message);
  if (message.type === "quit") process.exit(0);
  return null; // other lines, and those of later versions, need no answer
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = answer(JSON.parse(line));
    if (message) process.stdout.write(JSON.stringify(message) + "\n");
  });
