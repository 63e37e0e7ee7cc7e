"""Questions about a branch of a recorded game, answered in worker processes.

A question contains the text of the record and the branch in a page's notation. The process plays
the branch again each time and stores nothing. Agents see only what the deciding seat knows.
"""

from functools import lru_cache
from time import perf_counter
from typing import Any, Final
from zlib import crc32

import numpy as np

from impulse_agents.advice.annotate import note_of
from impulse_agents.advice.game_analysis import analysed
from impulse_agents.advice.playouts import played_out
from impulse_agents.asking.ask import ask_in_game
from impulse_env.game import Game
from impulse_env.records import reader
from impulse_env.records.record import Header, Move, Record
from impulse_env.replay.branches import LONGEST, Branch, BranchError, opened
from impulse_table.workers.agent_tasks import agent_of

UNTIL: Final = ("choice", "turn", "end")
"""How far agents may continue: one decision, the current turn, the game."""
_SLICE: Final = 3.0
"""Seconds after which `play_on` returns its decisions so far; the page then asks again."""


@lru_cache(maxsize=4)
def record_of(text: str) -> Record:
    """Return the record of a text that is known to be valid."""
    return reader.parse(text)


def values(text: str, at: str, by: str) -> dict[str, Any]:
    """Return an agent's evaluation of the choices at the end of a branch, in thousandths.

    ``chances`` are the chances to win after each choice, by name, and ``best`` is the best choice.
    An agent without a calibrated network gives ``shares`` instead, its probabilities of the
    choices. ``wins`` is the deciding seat's chance to win, None if the agent gives none.

    Raises:
        AgentError: The agent cannot evaluate such games.
        BranchError: The branch does not exist, or its game is over.
    """
    record, game = record_of(text), _running(text, at)
    agent = agent_of(by)
    if not hasattr(agent, "fitted_calibration"):
        note = note_of(agent, game, np.random.default_rng(_seed(at)))
        shares = {name: _thousandths(share) for name, share in note.probabilities.items()}
        wins = None if note.wins is None else _thousandths(note.wins)
        return {"by": by, "wins": wins, "shares": shares}
    assert game.seat is not None
    # The choice of this move does not matter: the analysis evaluates all choices.
    move = Move(game.seat, game.name(game.legal_actions()[0]))
    analysis = analysed(Record(Header.of_game(game, record.header.agents), [move]), agent)
    judged = analysis.judged[0]
    answer: dict[str, Any] = {"by": by, "wins": _thousandths(analysis.wins[0]), "chances": {}}
    if judged is not None:
        answer["best"] = judged.best
        answer["chances"] = {name: _thousandths(share) for name, share in judged.chances.items()}
    return answer


def play_on(text: str, at: str, by: str, until: str) -> dict[str, Any]:
    """Let an agent continue a branch for every seat, for a few seconds.

    Args:
        text: A record.
        at: The branch.
        by: The agent.
        until: One of `UNTIL`.

    Returns:
        ``at``, the branch with the agent's choices, and whether it is ``done``.

    Raises:
        AgentError: The agent does not exist, or does not play such games.
        BranchError: The branch does not exist, or its game is over.
    """
    game, branch, began = _running(text, at), Branch.read(at), perf_counter()
    agent, turn = agent_of(by), game.turn
    agent.check_players(game.players)
    is_done = False
    while not is_done and perf_counter() - began < _SLICE:
        if len(branch.choices) == LONGEST:
            raise BranchError(f"a branch has at most {LONGEST} choices")
        # The branch so far gives the seed, so that the same question always has the same answer.
        action = ask_in_game(agent, game, np.random.default_rng(_seed(str(branch))))
        number = game.legal_actions().index(action)
        game.step(action)
        branch = Branch(branch.step, (*branch.choices, number))
        is_done = game.is_over or until == "choice" or (until == "turn" and game.turn != turn)
    return {"at": str(branch), "done": is_done}


def play_out(text: str, at: str, by: str, first: int, count: int) -> list[int]:
    """Return how many playouts from the end of a branch each seat wins.

    Args:
        text: A record.
        at: The branch.
        by: The agent, for every seat.
        first: The number of the first playout; each number is another world.
        count: The number of playouts.

    Raises:
        AgentError: The agent does not exist, does not play such games, or takes too long.
        BranchError: The branch does not exist, or its game is over.
    """
    numbers = range(first, first + count)
    won = played_out(_running(text, at), agent_of(by), numbers, _seed(at))
    return [int(wins) for wins in won.sum(axis=0)]


def _running(text: str, at: str) -> Game:
    *_, game = opened(record_of(text), Branch.read(at))
    if game.is_over:
        raise BranchError("the game is over at this point: nothing is left to choose")
    return game


def _seed(at: str) -> int:
    return crc32(at.encode())


def _thousandths(share: float) -> int:
    return round(1000 * share)
