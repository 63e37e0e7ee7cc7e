"""Replays a game of a tournament from its line in ``games.jsonl``, as text or as a record."""

from collections.abc import Iterator

from impulse_env.errors import IllegalActionError
from impulse_env.game import Game
from impulse_env.records.record import Header, Record, SeatedAgent, record_of
from impulse_env.replay.transcript import play_lines
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store

_LEGAL = "      legal:"
"""Prefix of the lines that list the legal actions."""


class _NoMoreActionsError(Exception):
    """There are no recorded actions left."""


def find(store: Store, number: int) -> GameResult:
    """Return a finished game by its number; raises `TournamentError` if it does not exist."""
    results = {result.game: result for result in store.results()}
    if number not in results:
        raise TournamentError(
            f"game {number} is not in {store.games}, which holds {len(results)} of "
            f"{store.settings.games} games, numbered from 0"
        )
    return results[number]


def replay(settings: Settings, result: GameResult) -> Iterator[str]:
    """Replay a game and yield its text, line by line.

    Raises:
        TournamentError: The replay differs from the recording.
    """
    options = settings.options
    game = Game(
        options.players,
        result.deal,
        team_size=options.team_size,
        target_score=options.target_score,
        max_turns=options.max_turns,
    )
    sitting = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(result.agents))
    yield f"Game {result.game}, deal {result.deal}: {sitting}"
    left = iter(result.actions)

    def recorded(game: Game) -> int:
        for action in left:
            return action
        raise _NoMoreActionsError

    try:
        yield from (line for line in play_lines(game, recorded) if not line.startswith(_LEGAL))
    except _NoMoreActionsError:
        if result.failed is None:
            raise TournamentError(
                f"game {result.game} is recorded up to {game!r} only, but as ended"
            ) from None
        name = result.agents[result.failed]
        yield f"The end, in turn {game.turn + 1}: {name} on seat {result.failed} failed"
        yield (result.error or "").rstrip()
    except (IllegalActionError, ValueError) as error:
        raise TournamentError(f"game {result.game} does not go as recorded: {error}") from error
    _check_end(game, result, sum(1 for _ in left))


def record(settings: Settings, result: GameResult) -> Record:
    """Return a game as a record, for all tools that read records.

    Raises:
        TournamentError: The replay differs from the recording.
    """
    chances = Schedule(settings)[result.game].chances
    agents = tuple(map(SeatedAgent, result.agents, chances))
    failed = result.failed
    why = "" if failed is None else f"{result.agents[failed]} on seat {failed} failed"
    try:
        header = Header(settings.options, agents, seed=result.deal)
        made = record_of(header, result.actions, why=why)
    except ValueError as error:
        raise TournamentError(f"game {result.game} does not go as recorded: {error}") from error
    *_, game = made.games()
    if failed is None and not game.is_over:
        raise TournamentError(f"game {result.game} is recorded up to {game!r} only, but as ended")
    _check_end(game, result, 0)
    return made


def _check_end(game: Game, result: GameResult, too_many: int) -> None:
    """Raise `TournamentError` if the end of the replay differs from the recorded one."""
    if too_many:
        raise TournamentError(
            f"game {result.game} is over, but {too_many} recorded actions are left"
        )
    if game.scores != result.scores:
        raise TournamentError(
            f"game {result.game} ends with points {game.scores}; recorded are {result.scores}"
        )
    if result.failed is None and game.winners != result.winners:
        raise TournamentError(
            f"game {result.game} is won by seats {game.winners}; recorded are {result.winners}"
        )
