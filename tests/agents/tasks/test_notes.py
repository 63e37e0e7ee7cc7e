"""Notes on replies: only the seat that replied sees them, since a reply may name hidden cards."""

from impulse_agents.tasks import Episode, Task
from impulse_agents.tasks.task import packed
from impulse_env import Game
from impulse_env.language.calls import choices


def begun():
    game = Game(2, seed=3)
    text, digest = packed(game)
    task = Task("game", 3, "game", game.seat, 1, "random", text, digest)
    return Episode(task, seats=(0, 1), reward="result")


def test_a_seat_sees_no_note_on_a_reply_of_another():
    episode, shown, other = begun(), 0, 0
    for _ in range(60):
        seat, game = episode.seat, episode.game
        choice = choices(game.state, game.legal_actions())[0]
        episode.reply(
            f"{choice.verb}({choice.argument}={choice.values[0]})"
            if choice.argument
            else f"{choice.verb}()"
        )
        if episode.seat is None:
            break
        is_own = episode.seat == seat
        assert episode.prompt().startswith(episode.note) == is_own
        shown, other = shown + is_own, other + (not is_own)
    assert shown > 5
    assert other > 2


def test_a_refusal_is_noted_for_the_seat_that_replied():
    episode = begun()
    episode.reply("hello")
    assert episode.prompt().startswith("Refused: the reply has no action")
