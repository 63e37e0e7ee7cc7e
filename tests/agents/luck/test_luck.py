"""What chance gave the sides of a game is 0 on average, and is found where something was drawn."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.base import AgentError
from impulse_agents.heuristics.evaluation import COEFFICIENTS, all_position_features
from impulse_agents.luck import coefficients
from impulse_agents.luck.chance import KINDS, Kind, drew, results, stepped
from impulse_agents.luck.coefficients import Coefficients, of_rules
from impulse_agents.luck.corrections import (
    WORLDS,
    drawing_seats,
    luck_of,
    luck_to_take_out,
    mean_of_deals,
)
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import RuleValues, values_of
from impulse_agents.playing.game_runner import RecordingRunner
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY
from impulse_env.errors import IllegalActionError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.records.record import Header, SeatedAgent, record_of


def games(names, options, count, seed=0):
    """Games of these agents, one for each seat, and how they ended."""
    rng = np.random.default_rng(seed)
    deals = rng.integers(2**63, size=count)
    entrants = [impulse_agents.make(name) for name in names]
    by_seat = np.tile(np.arange(options.players), (count, 1))
    streams = RngStreams.from_generator(rng, count * options.players)
    tables = RecordingRunner(entrants, options, deals, by_seat, streams)
    tables.play_to_end()
    return Played.of_deals(options, deals, tables.actions), tables.batch.states, entrants


class Blind:
    """Values that know nothing: all sides stand alike until the game is over."""

    name = "blind"

    def identity(self):
        return self.name

    def check_players(self, players):
        """Any will do."""

    def coefficients(self, players, sides):
        return Coefficients.read(None)

    def shares(self, states, sides):
        return np.full((len(states), sides), 1 / sides)


@pytest.mark.parametrize(
    ("players", "team_size"), [(2, None), (3, None), (4, 2), (5, None), (6, 3)]
)
def test_luck_is_zero_in_sum_over_the_sides_and_on_average(players, team_size):
    options = Options(players, team_size)
    played, _, _ = games(["greedy"] * players, options, 60)
    found = luck_of(played, RuleValues())
    assert found.change.shape[1] == options.team_count
    assert np.abs(found.change.sum(axis=1)).max() < 1e-6
    assert set(found.kind.tolist()) == {Kind.DEAL, Kind.DRAW, Kind.EXPLORE, Kind.BATTLE}
    sums = found.by_kind
    assert sums.shape == (60, len(KINDS), options.team_count)
    error = sums.std(axis=0) / np.sqrt(len(sums))
    # Forty means of normal noise: none is five deviations away.
    assert (np.abs(sums.mean(axis=0)) <= 5 * error + 1e-9).all()


def test_taking_luck_out_makes_results_less_noisy_and_keeps_their_mean():
    played, ends, entrants = games(["greedy", "warrior"], Options(), 400)
    seats = np.tile([0, 1], (400, 1))
    won = results(ends, 2)[:, 0]
    without = won - luck_to_take_out(played, values_of("rules"), entrants, seats)[:, 0]
    assert without.var() < won.var() / 1.2
    error = (won - without).std() / np.sqrt(len(won))
    assert abs(won.mean() - without.mean()) < 4 * error


def test_values_that_know_nothing_see_only_chance_that_could_end_the_game():
    played, _, _ = games(["greedy", "greedy"], Options(target_score=6), 30)
    found = luck_of(played, Blind())
    is_late = np.array([played.actions[game].size - 1 for game in found.game]) == found.decision
    assert (found.change[found.decision < 20] == 0).all()
    assert (found.change[is_late] != 0).any()
    # Each world is won, lost or goes on, and one who goes on has half.
    steps = found.change * 2 * WORLDS
    assert np.allclose(steps, steps.round())
    assert np.abs(found.change).max() <= 0.5


def test_a_game_has_the_same_luck_whatever_games_are_beside_it():
    options = Options(players=3)
    played, _, _ = games(["greedy", "warrior", "miner"], options, 6)
    whole = luck_of(played, RuleValues()).by_kind
    for game in range(6):
        one = Played.of_deals(options, played.deals[game : game + 1], [played.actions[game]])
        assert np.allclose(luck_of(one, RuleValues()).by_kind[0], whole[game])


def test_where_nothing_is_drawn_there_is_no_luck():
    played, _, _ = games(["greedy", "warrior"], Options(), 8)
    found = luck_of(played, RuleValues())
    for number in range(8):
        game = Game(seed=played.deals[number])
        events = set(found.decision[found.game == number].tolist()) - {-1}
        for decision, action in enumerate(played.actions[number].tolist()):
            before, deck = game.copy(), int(game.state["deck_count"])
            game.step(action)
            if decision not in events:
                assert int(game.state["deck_count"]) == deck
                assert not drew(_row(before), _row(game))[0]


def _row(game):
    states = np.zeros(1, game.state.dtype)
    states[0] = game.state
    return states


def test_a_record_has_the_luck_of_its_game_and_one_from_a_position_none_of_a_deal():
    options = Options()
    played, _, _ = games(["greedy", "warrior"], options, 1)
    seated = (SeatedAgent("greedy", 1), SeatedAgent("warrior", 2))
    actions = played.actions[0].tolist()
    record = record_of(Header(options, seated, seed=played.deals[0]), actions)
    whole = luck_of(Played.of_records([record]), RuleValues())
    assert np.allclose(whole.change, luck_of(played, RuleValues()).change)

    game = Game(seed=played.deals[0])
    for action in actions[:40]:
        game.step(action)
    rest = record_of(Header.of_game(game, seated), actions[40:])
    found = luck_of(Played.of_records([rest]), RuleValues())
    assert Kind.DEAL not in found.kind.tolist()
    assert len(found.kind) == (whole.decision >= 40).sum()


def test_the_luck_of_drawn_choices_is_found_for_agents_that_tell_their_probabilities():
    played, _, entrants = games(["random", "greedy"], Options(target_score=5), 40)
    seats = np.tile([0, 1], (40, 1))
    choosers = drawing_seats(entrants, seats)
    assert set(choosers) == {(game, 0) for game in range(40)}
    found = luck_of(played, RuleValues(), choosers=choosers)
    chosen = found.kind == Kind.CHOICE
    assert chosen.sum() > 40
    without = luck_of(played, RuleValues())
    rest = found.change[~chosen]
    assert np.allclose(rest, without.change), "chance has the luck that it has without choices"
    sums = found.by_kind[:, Kind.CHOICE, 0]
    assert abs(sums.mean()) < 4 * sums.std() / np.sqrt(len(sums))


@pytest.mark.parametrize("action", [-1, N_ACTIONS, 0])
def test_what_cannot_have_been_chosen_is_refused(action):
    played, _, _ = games(["greedy", "greedy"], Options(), 2)
    chosen = played.actions[1].copy()
    chosen[3] = action
    wrong = Played.of_deals(Options(), played.deals, [played.actions[0], chosen])
    with pytest.raises(IllegalActionError, match="illegal action"):
        luck_of(wrong, RuleValues())


def test_the_luck_of_a_choice_is_what_it_brings_less_the_mean_of_all():
    """By hand, at the first decision of a game in which nothing is drawn."""
    game, taken = Game(seed=3), []
    while True:
        legal = np.array(game.legal_actions())
        before = np.repeat(_row(game), len(legal))
        after = before.copy()
        deciding = stepped(after, np.full(len(legal), game.seat, np.int8), legal)
        if len(legal) > 1 and not drew(before, after).any():
            break
        taken.append(int(legal[0]))
        game.step(taken[-1])
    assert (deciding != NOBODY).all()
    stand = RuleValues().shares(after, 2)
    played = Played.of_deals(Options(), [3], [[*taken, int(legal[0])]])
    chooser = {(0, int(game.seat)): impulse_agents.make("random")}
    found = luck_of(played, RuleValues(), choosers=chooser)
    chosen = (found.kind == Kind.CHOICE) & (found.decision == len(taken))
    assert np.allclose(found.change[chosen], stand[0] - stand.mean(axis=0))


def test_before_the_deal_all_have_the_same_where_seats_are_alike():
    for options in (Options(), Options(4), Options(6, 3)):
        sides = options.team_count
        assert np.allclose(mean_of_deals(RuleValues(), options), 1 / sides, atol=0.01)
    begins = mean_of_deals(RuleValues(), Options(start_player=0))
    assert begins[0] > begins[1]


def test_a_trained_agent_is_a_judge_and_others_are_not():
    values = values_of("policy:2p")
    played, _, _ = games(["greedy", "greedy"], Options(), 4)
    found = luck_of(played, values, worlds=2)
    assert np.abs(found.change.sum(axis=1)).max() < 1e-6
    assert values.identity() != values_of("policy:3p").identity()
    three, _, _ = games(["greedy"] * 3, Options(3), 2)
    with pytest.raises(AgentError, match="2 players"):
        luck_of(three, values)
    for name in ("greedy", "ismcts:50"):
        with pytest.raises(AgentError, match=r"luck is judged by a trained agent.*or by 'rules'"):
            values_of(name)


def test_more_worlds_bring_less_noise():
    played, _, _ = games(["greedy", "warrior"], Options(), 40)
    few, many, most = (luck_of(played, RuleValues(), worlds=n).change for n in (1, WORLDS, 64))
    assert np.abs(few - most).mean() > 2 * np.abs(many - most).mean()


# --- How much of it counts ------------------------------------------------------------------------


def test_coefficients_are_those_of_the_weights_or_none(tmp_path, monkeypatch):
    kinds = dict.fromkeys(KINDS, 0.5)
    assert Coefficients.read({"weights": "a", **kinds}, "a").by_kind.tolist() == [0.5] * len(KINDS)
    for found in (None, {"weights": "b", **kinds}, {"weights": "a", "deal": 0.5}):
        read = Coefficients.read(found, "a")
        assert not read.is_fitted
        assert (read.by_kind == 1).all()

    (tmp_path / "rules.json").write_text("[]")
    monkeypatch.setattr(coefficients, "FILE", tmp_path / "rules.json")
    coefficients._stored.cache_clear()
    try:
        assert not of_rules(5, 5).is_fitted
        coefficients.keep(5, 5, kinds)
        coefficients.keep(2, 2, kinds)
        coefficients._stored.cache_clear()
        assert of_rules(5, 5).by_kind.tolist() == [0.5] * len(KINDS)
        assert of_rules(6, 2).by_kind.tolist() == [1.0] * len(KINDS)
    finally:
        coefficients._stored.cache_clear()


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (4, 4), (4, 2), (5, 5), (6, 6)])
def test_the_rules_have_factors_for_every_size(players, sides):
    found = of_rules(players, sides)
    assert found.is_fitted
    assert 0.3 < found.by_kind[Kind.BATTLE] < 1.3, "a battle's luck is luck"


@pytest.mark.parametrize("team_size", [None, 2])
def test_the_shares_by_rules_are_a_softmax_over_those_who_still_play(team_size):
    options = Options(4, team_size)
    states, sides = options.new_states(range(3)), options.team_count
    states["score"][:, :4] = [(3, 9, 0, 1), (0, 0, 0, 0), (15, 2, 8, 8)]
    states["eliminated"][2, 1] = 1
    strengths = all_position_features(states, 4) @ COEFFICIENTS
    for game, shares in enumerate(RuleValues().shares(states, sides)):
        odds = {s: np.exp(strengths[game, s]) for s in range(4) if (game, s) != (2, 1)}
        for side, share in enumerate(shares):
            own = sum(odd for seat, odd in odds.items() if seat % sides == side)
            assert share == pytest.approx(own / sum(odds.values()), abs=1e-5)
    assert RuleValues().shares(states[:0], sides).shape == (0, sides)
