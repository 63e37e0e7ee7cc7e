"""Impulse as an environment of kaggle-environments, with its harness for language models.

Importing this module registers `impulse`. `agent()` is a player for `env.run`; Kaggle's runner
takes the module's functions `get_legal_moves`, `generate_prompt` and `parse_response`.
"""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from kaggle_environments import register
from kaggle_environments.core_harness import ParseResult, create_agent_fn

from impulse_agents.tasks import Episode, Task
from impulse_agents.tasks.task import RACE_POINTS, packed
from impulse_env import Game
from impulse_env.engine.constants import NO_SEAT
from impulse_env.language import ReplyError, read_calls, rules_digest, view_text

FAILED = ("ERROR", "TIMEOUT")
TERMINAL = -4  # `currentPlayer` after the end, as in OpenSpiel
SPECIFICATION = {
    "name": "impulse",
    "title": "Impulse",
    "description": "A board game for 2 to 6 players with hidden hands.",
    "version": "0.1.0",
    "agents": [2, 3, 4, 5, 6],
    "configuration": {
        "episodeSteps": 20_000,
        "actTimeout": 3600,
        "runTimeout": 1_000_000,
        "length": {"type": "string", "enum": ["game", "race"], "default": "game"},
        "seed": {"type": ["integer", "null"], "default": None},
        # Replies are text: the harness has no list of legal moves.
        "freeForm": {"type": "boolean", "default": True},
        # Without this, the harness ends the program when its retries are exhausted.
        "illegalMoveForfeit": {"type": "boolean", "default": True},
    },
    "observation": {
        "observationString": {"type": "string"},
        "publicString": {"type": "string", "shared": True},
        "currentPlayer": {"type": "integer"},
        "playerId": {"type": "integer"},
        "isTerminal": {"type": "boolean"},
    },
    "action": {"type": "object", "default": {"submission": -1}},
    "reward": {"type": "number", "default": 0},
}


def begun(players: int, configuration: Any) -> Episode:
    """Deal a game in which all seats play by text, without lists of legal actions."""
    points = {"target_score": RACE_POINTS} if configuration.length == "race" else {}
    game = Game(players, configuration.seed, **points)
    text, digest = packed(game)
    # No opponent moves: all seats play by text.
    task = Task("game", 3, configuration.length, game.seat, 0, "random", text, digest)
    return Episode(task, seats=tuple(range(players)), reward="result", with_legal=False)


def interpreter(state: list[Any], env: Any) -> list[Any]:
    """Deal, or carry out the action of the seat that must decide."""
    if env.done:
        env.episode = begun(len(state), env.configuration)
    elif any(agent.status in FAILED for agent in state):
        for agent in state:  # A program or its network failed: the game does not count.
            agent.status = "TIMEOUT" if agent.status == "TIMEOUT" else "ERROR"
        return state
    else:
        action = state[env.episode.seat].action or {}
        if isinstance(action.get("submission"), str):
            env.episode.reply(action["submission"])
        else:  # The harness submits -1 when its retries are exhausted.
            while env.episode.seat is not None:
                env.episode.reply("")
    show(state, env.episode)
    return state


def show(state: list[Any], episode: Episode) -> None:
    """Write what each seat may know, and the rewards at the end."""
    is_over = episode.seat is None
    for seat, agent in enumerate(state):
        seen = agent.observation
        seen.playerId, seen.isTerminal = seat, is_over
        seen.currentPlayer = TERMINAL if is_over else episode.seat
        seen.observationString = episode.prompt() if seat == episode.seat else ""
        if is_over:
            agent.reward, agent.status = episode.rewards[seat], "DONE"
        else:
            agent.status = "ACTIVE" if seat == episode.seat else "INACTIVE"
    state[0].observation.publicString = view_text(episode.game.state, NO_SEAT)


def renderer(state: list[Any], env: Any) -> str:
    """Return what is public, as text."""
    return str(state[0].observation.publicString)


def html_renderer() -> str:
    """Return a page's program that shows what is public at each step of a replay."""
    return """function renderer({parent, environment, step}) {
    parent.textContent = environment.steps[step][0].observation.publicString;
    parent.style.whiteSpace = "pre-wrap";
}"""


PARTS = {"interpreter": interpreter, "renderer": renderer, "html_renderer": html_renderer}
register("impulse", {"specification": SPECIFICATION, "agents": {}, **PARTS})


def get_legal_moves(observation: Mapping[str, Any]) -> None:
    """Return None: a move is any text, and the environment says why it refuses one."""


def generate_prompt(
    observation: Mapping[str, Any],
    move_history: Sequence[str],
    previous_response: str | None = None,
    previous_action: str | None = None,
) -> str:
    """Return the rules, what the seat may know, and why the reply before had no action."""
    text = f"{rules_digest()}\n## Now\n\n{observation['observationString']}\n"
    if previous_response is not None:
        try:
            read_calls(previous_response)
        except ReplyError as error:
            text += f"\nYour reply was refused: {error}.\n"
    return text


def parse_response(
    response: str,
    legal_action_strings: Sequence[str] | None,
    *,
    observation: Mapping[str, Any] | None = None,
) -> ParseResult:
    """Return the actions of a reply; without any, the harness asks again."""
    try:
        return ParseResult(submission="; ".join(map(str, read_calls(response))))
    except ReplyError:
        return ParseResult()


def agent(**options: Any) -> Callable[..., dict[str, Any]]:
    """Return a player by a language model; see `create_agent_fn` for the options."""
    harness = SimpleNamespace(
        get_legal_moves=get_legal_moves, make_prompt=generate_prompt, parse_response=parse_response
    )
    return create_agent_fn(harness, **options)
