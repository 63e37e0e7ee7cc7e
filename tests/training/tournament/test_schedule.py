"""A schedule is fair: seats, opponents and deals are shared out equally."""

from collections import Counter, defaultdict

import pytest

from impulse_training.tournament.schedule import Schedule, circles
from impulse_training.tournament.settings import Settings, TournamentError

TABLES = [
    (2, 2, None),
    (3, 2, None),
    (5, 2, None),
    (2, 3, None),
    (3, 3, None),
    (4, 3, None),
    (2, 4, None),
    (3, 4, None),
    (4, 4, None),
    (2, 4, 2),
    (3, 4, 2),
    (2, 5, None),
    (6, 5, None),
    (2, 6, None),
    (4, 6, None),
    (7, 6, None),
    (2, 6, 2),
    (4, 6, 2),
    (3, 6, 3),
]


def schedule_of(agents, players, team_size=None, deals=3, **more):
    names = tuple(f"agent {number}" for number in range(agents))
    settings = Settings(names, players, team_size, **more)
    return Schedule(Settings(names, players, team_size, Schedule(settings).games_per_deal * deals))


def games_of(schedule):
    return [schedule[number] for number in range(len(schedule))]


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
def test_each_agent_sits_on_each_seat_equally_often_with_each_set_of_opponents(
    agents, players, team_size
):
    seats = defaultdict(Counter)
    for game in games_of(schedule_of(agents, players, team_size)):
        for seat, agent in enumerate(game.seating):
            seats[agent, tuple(sorted(game.seating))][seat] += 1
    for counts in seats.values():
        assert len(counts) == players
        assert len(set(counts.values())) == 1
    assert {agent for agent, _ in seats} == set(range(agents))


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
def test_every_line_up_plays_every_deal_equally_often(agents, players, team_size):
    schedule = schedule_of(agents, players, team_size)
    by_lineup = defaultdict(Counter)
    for game in games_of(schedule):
        by_lineup[tuple(sorted(game.seating))][game.deal] += 1
    deals = next(iter(by_lineup.values()))
    assert len(deals) == 3
    assert set(deals.values()) == {schedule.sides}
    assert all(counts == deals for counts in by_lineup.values())


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
def test_all_agents_play_equally_often_and_no_game_twice(agents, players, team_size):
    games = games_of(schedule_of(agents, players, team_size))
    counts = Counter(agent for game in games for agent in game.seating)
    assert len(set(counts.values())) == 1
    assert len({(game.deal, game.seating) for game in games}) == len(games)
    chances = [chance for game in games for chance in game.chances]
    assert len(set(chances)) == len(chances) == len(games) * players


@pytest.mark.parametrize(("agents", "players", "team_size"), TABLES)
def test_as_many_agents_meet_as_can(agents, players, team_size):
    schedule = schedule_of(agents, players, team_size)
    for game in games_of(schedule):
        assert len(set(game.seating)) == min(agents, schedule.sides)


def test_members_of_a_team_are_the_same_agent():
    for game in games_of(schedule_of(3, 6, 2)):
        assert game.seating[:3] == game.seating[3:]


def test_two_agents_at_four_players_meet_in_every_number():
    games = games_of(schedule_of(2, 4))
    assert {tuple(sorted(game.seating)) for game in games} == {
        (0, 0, 0, 1),
        (0, 0, 1, 1),
        (0, 1, 1, 1),
    }


def test_versus_sets_one_agent_against_three_of_the_other():
    schedule = Schedule(Settings(("a", "b"), 4, games=8, versus=True))
    seats = Counter()
    for game in games_of(schedule):
        assert sorted(game.seating) == [0, 1, 1, 1]
        seats[game.seating.index(0), game.deal] += 1
    assert set(seats.values()) == {1}
    assert len(seats) == 8


def test_who_sits_behind_whom_changes_from_deal_to_deal():
    behind = Counter()
    for game in games_of(schedule_of(4, 4, deals=6)):
        for seat, agent in enumerate(game.seating):
            behind[agent, game.seating[(seat + 1) % 4]] += 1
    assert len(set(behind.values())) == 1


def test_circles_that_repeat_themselves_are_left_out():
    assert circles((0, 0, 1, 1)) == [(0, 0, 1, 1)]  # 0 1 0 1 is itself again after two turns
    assert circles((0, 1, 2)) == [(0, 1, 2), (0, 2, 1)]


def test_games_are_rounded_up_to_whole_deals():
    schedule = Schedule(Settings(("a", "b", "c"), 3, games=1000))
    assert (schedule.games_per_deal, len(schedule)) == (3, 1002)
    assert schedule.settings.games == 1002
    with pytest.raises(IndexError, match="no game 1002; the last is 1001"):
        schedule[1002]


def test_a_longer_tournament_begins_with_the_same_games():
    short = Schedule(Settings(("a", "b"), games=4, seed=9))
    long = Schedule(Settings(("a", "b"), games=40, seed=9))
    assert games_of(short) == games_of(long)[:4]
    other = Schedule(Settings(("a", "b"), games=4, seed=8))
    assert not {g.deal for g in games_of(short)} & {g.deal for g in games_of(other)}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 7}, "players must be an integer from 2 to 6, not 7"),
        ({"players": 5, "team_size": 2}, "team_size .* with 5 players must be one of None"),
        ({"agents": ("a",)}, "takes 2 agents or more, not a"),
        ({"agents": ()}, "takes 2 agents or more, not none"),
        ({"agents": ("a", "b", "a")}, "a is there twice"),
        ({"agents": ("a", "b", "c"), "versus": True}, "versus takes exactly 2 agents, not 3"),
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"target_score": 0}, "target_score must be an integer from 1 to 100, not 0"),
    ],
)
def test_impossible_settings_are_refused(settings, message):
    with pytest.raises(TournamentError, match=message):
        Settings(**{"agents": ("a", "b"), **settings})
