// An analysis in the making: the page that asked for it waits, or the server gives it up.

/**
 * Follow an analysis until it is made; throws in a sentence why it is not.
 * @param begin asks for it, and for it again should the server have given it up
 * @param at returns the address of its progress, given what was answered first
 * @param tell called with {done, total}
 * @param signal aborts all of it
 */
export async function follow(begin, at, tell, signal) {
  let response = await begin();
  let first = null;
  for (;;) {
    const answer = await response.json();
    const { ready, running, fault, message, done } = answer;
    if (message || fault) throw new Refusal(message ?? fault);
    first ??= answer;
    if (ready) return first;
    tell(answer);
    // The server answers once more is done, so that this goes on in a tab that is not looked at.
    response = running ? await fetch(`${at(first)}?seen=${done}`, { signal }) : await begin();
  }
}

/** What the server says is wrong. */
export class Refusal extends Error {}
