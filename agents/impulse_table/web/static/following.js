// Waits for the page of an analysis, which follows the analysis itself.

/**
 * Ask for an analysis until its page opens; throws `Refusal` if the server cannot make it.
 * @param begin asks for it, again if the server has stopped it
 * @param at returns the address of its progress, from the first answer
 * @param tell called with {done, total}
 * @param signal aborts the requests
 */
export async function follow(begin, at, tell, signal) {
  let response = await begin();
  let first = null;
  for (;;) {
    const answer = await response.json();
    const { open, running, fault, message, done } = answer;
    if (message || fault) throw new Refusal(message ?? fault);
    first ??= answer;
    if (open) return first;
    tell(answer);
    // The server answers when it has done more, so this continues in a background tab, too.
    response = running ? await fetch(`${at(first)}?seen=${done}`, { signal }) : await begin();
  }
}

/** The server's reason against a request, as its message. */
export class Refusal extends Error {}
