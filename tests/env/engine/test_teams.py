"""Team games: 2 against 2, three teams of 2, 3 against 3 (pp. 8-9, 16).

four players          six players
0 . . 1               1 . 2
. . . . .            . . . .
3 . . 2             0 . . . 3        seats on their homes, clockwise
                     . . . .
                      5 . 4
"""

import pytest

from helpers import (
    cruisers,
    game,
    hand,
    impulse,
    is_done,
    minerals,
    names,
    play,
    points,
    transports,
    using,
)

TWO_TEAMS = {"team_size": 2}
"""Seats 0 and 2 against 1 and 3."""
ONE, TWO = 3, 9
"""Cards of the deck with so many icons."""
END = 108
"""The card that must be next when all that is to be drawn was drawn."""


def seats(*given, players=4):
    """The fields of seats 1, 2, …: those given, the others with a Transport at home."""
    homes = {4: (3, 19, 17), 6: (1, 3, 12, 19, 17)}[players]
    filled = [*given, *({} for _ in range(players - 1 - len(given)))]
    return [
        ({} if {"transports", "cruisers", "eliminated"} & {*seat} else {"transports": {home: 1}})
        | seat
        for home, seat in zip(homes, filled, strict=True)
    ]


# --- Own Impulses (p. 9) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "team_size", "team_of"),
    [(4, 2, (0, 1, 0, 1)), (6, 2, (0, 1, 2, 0, 1, 2)), (6, 3, (0, 1, 0, 1, 0, 1))],
)
def test_each_team_feeds_and_uses_its_own_impulse(players, team_size, team_of):
    # p. 9: "Each team has its own Impulse, populated only by the cards its members play."
    cards = (7, 14, 23, 29, 46, 47)[:players]
    fields = seats(*({"hand": [card]} for card in cards[1:]), players=players)
    made = game(hand=[cards[0]], team_size=team_size, others=fields)
    expected = [[] for _ in range(players // team_size)]
    for seat in range(players):
        assert (made.seat, made.decision.kind) == (seat, "add_impulse")
        play(made, f"card {cards[seat]}")
        expected[team_of[seat]].append(cards[seat])
        assert [impulse(made, team) for team in range(players // team_size)] == expected
        offered = []
        while made.seat == seat:
            if made.decision.kind == "use_impulse":
                offered.append(impulse(made, team_of[seat])[int(made.state["cursor"])])
            play(made, "pass")
        assert offered == expected[team_of[seat]]
    assert made.seat == 0


def test_only_the_own_impulse_is_trimmed():
    # p. 13
    made = game(
        impulse=[[7, 14, 23, 106], [2, 8, 11]],
        phase="use_impulse",
        cursor=3,
        others=seats(),
        **TWO_TEAMS,
    )
    play(made, "pass")
    assert impulse(made, 0) == [14, 23, 106]
    assert impulse(made, 1) == [2, 8, 11]


def test_the_last_impulse_card_is_that_of_the_own_team():
    # p. 42. The Caelumnites mine a card like the newest one.
    made = game(
        race="caelumnites",
        hand=[54, 22],
        impulse=[[22], [2]],
        phase="use_tech",
        others=seats(),
        **TWO_TEAMS,
    )
    play(made, "tech 1")
    assert names(made) == ["card 22"]
    play(made, "card 22")
    assert minerals(made) == [22]


# --- Allies neither fight nor are destroyed (p. 9) ----------------------------------------------


def crossing(cell, team_size, *others, players=4, **fields):
    """A game in which the Cruiser of seat 0 crosses cell 9; seat 0 has a Transport on `cell`."""
    made = using(
        31,
        transports={cell: 1},
        cruisers={"8-9": 1},
        team_size=team_size,
        others=seats(*others, players=players),
        **fields,
    )
    return play(made, "gate 8-9", "ships 1", "gate 9-10")


def test_crossing_spares_the_transports_of_allies():
    made = crossing(
        9, 2, {"transports": {9: 1, 3: 1}}, {"transports": {9: 2}}, {"transports": {9: 3, 17: 1}}
    )
    assert points(made) == 4
    assert [transports(made, seat) for seat in range(4)] == [{9: 1}, {3: 1}, {9: 2}, {17: 1}]


def test_a_won_battle_spares_the_transports_of_allies():
    made = using(
        31,
        cruisers={"8-9": 1},
        others=seats(
            {"transports": {9: 1, 3: 1}, "cruisers": {"9-10": 1}},
            {"transports": {9: 2}},
            {"transports": {9: 3, 17: 1}},
        ),
        deck=[ONE, TWO, END],
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert points(made) == 1 + 1 + 4
    assert transports(made, 2) == {9: 2}


def test_of_three_teams_both_others_are_enemies():
    made = crossing(
        8,
        2,
        {"transports": {9: 1, 1: 1}},
        {"transports": {9: 1, 3: 1}},
        {"transports": {9: 1}},
        {"transports": {9: 1, 19: 1}},
        {"transports": {9: 1, 17: 1}},
        players=6,
    )
    assert points(made) == 4
    assert transports(made, 3) == {9: 1}


def test_of_six_players_every_other_one_is_an_ally():
    made = crossing(
        8,
        3,
        {"transports": {9: 1, 1: 1}},
        {"transports": {9: 1}},
        {"transports": {9: 1, 12: 1}},
        {"transports": {9: 1}},
        {"transports": {9: 1, 17: 1}},
        players=6,
    )
    assert points(made) == 3
    assert [transports(made, seat) for seat in (2, 4)] == [{9: 1}, {9: 1}]


# --- Allied patrols and gates (p. 9) ------------------------------------------------------------


def test_an_allys_patrol_stops_no_transport():
    # p. 9: "You can move through friendly Cruisers and cards they patrol".
    made = using(
        40,
        transports={9: 1},
        others=seats({}, {"cruisers": {"9-10": 1, "10-11": 1}}),
        **TWO_TEAMS,
    )
    play(made, "cell 9", "ships 1")
    assert "cell 10" in names(made)
    play(made, "cell 10")
    assert "cell 11" in names(made)
    play(made, "cell 11")
    assert transports(made) == {11: 1}


def test_an_enemys_patrol_beside_an_allys_stops_transports():
    made = using(
        35,
        transports={9: 1},
        others=seats({"cruisers": {"6-10": 1}}, {"cruisers": {"9-10": 1}}),
        **TWO_TEAMS,
    )
    play(made, "cell 9", "ships 1")
    assert "cell 10" not in names(made)


def test_an_allys_patrol_forces_no_battle():
    made = using(
        31,
        cruisers={"8-9": 1},
        others=seats({}, {"cruisers": {"9-10": 1}}),
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1")
    assert set(names(made)) == {
        "gate 4-8", "gate 8-13", "gate 4-9", "gate 5-9", "gate 9-13", "gate 9-14",
    }  # fmt: skip
    play(made, "gate 5-9")
    assert is_done(made)
    assert cruisers(made) == {"5-9": 1}


def test_cruisers_never_end_on_an_allys_gate_but_pass_it():
    # p. 9: "never end an action with your Cruisers and an ally's on the same gate"
    made = using(
        91,
        cruisers={"8-9": 1},
        others=seats({}, {"cruisers": {"9-10": 2}}),
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1")
    assert "gate 9-10" in names(made)
    play(made, "gate 9-10")
    assert "pass" not in names(made)
    assert "gate 10-11" in names(made)
    play(made, "gate 10-11")
    assert cruisers(made) == {"10-11": 1}
    assert cruisers(made, 2) == {"9-10": 2}


@pytest.mark.parametrize(("seat", "ally"), [(0, 2), (2, 0)])
def test_a_path_does_not_end_on_the_gate_of_an_ally_of_whatever_seat(seat, ally):
    # p. 9: "never end an action with your Cruisers and an ally's on the same gate"
    ships = {seat: {"cruisers": {"8-9": 1}}, ally: {"cruisers": {"9-10": 2}}}
    members = [ships.get(n, {}) | {"transports": {n + 1: 1}} for n in range(4)]
    fields = {"others": members[1:], **members[0], **TWO_TEAMS}
    made = game(impulse=[[91, 106], []], phase="use_impulse", active=seat, **fields)
    play(made, "use", "gate 8-9", "ships 1", "gate 9-10")
    assert made.seat == seat
    assert "pass" not in names(made)
    play(made, "gate 10-11", "pass")
    assert cruisers(made, seat) == {"10-11": 1}


def test_the_last_move_cannot_end_on_an_allys_gate():
    made = using(
        91,
        cruisers={"4-9": 1},
        others=seats({}, {"cruisers": {"9-10": 2}}),
        **TWO_TEAMS,
    )
    play(made, "gate 4-9", "ships 1", "gate 8-9")
    assert "gate 9-10" not in names(made)
    assert "pass" in names(made)


def test_a_battle_may_follow_on_the_passage_of_an_allys_gate():
    made = using(
        91,
        cruisers={"8-9": 1},
        others=seats({"transports": {3: 1}, "cruisers": {"10-11": 1}}, {"cruisers": {"9-10": 2}}),
        deck=[ONE, TWO, END],
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    # Across 10 there is only the enemy's gate, across 9 the way is free.
    assert set(names(made)) == {
        "gate 4-9", "gate 5-9", "gate 8-9", "gate 9-13", "gate 9-14", "gate 10-11",
    }  # fmt: skip
    play(made, "gate 10-11")
    assert (made.decision.kind, made.seat) == ("reinforce", 1)
    play(made, "pass", "pass")
    assert cruisers(made) == {"10-11": 1}
    assert cruisers(made, 2) == {"9-10": 2}


def test_an_allys_gate_on_a_cell_that_enemies_patrol_cannot_be_passed():
    # p. 28: across 9 the move must end on the enemy's gate.
    made = using(
        91,
        cruisers={"8-9": 1},
        others=seats({"cruisers": {"5-9": 1}}, {"cruisers": {"9-10": 2}}),
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1")
    assert set(names(made)) == {"gate 4-8", "gate 8-13", "gate 5-9"}


def test_an_allys_gate_from_which_nothing_leads_on_is_not_offered():
    # 1-4 leads across 1 and 4 only, whose other gates all are the ally's.
    #      1 = 2        The Cruiser of 4-5 has two moves: across 4 to 1-4 it would have to go on to
    #    4   5           a free gate, which is the one it came from. That it may (R3).
    held = {"1-4": 1, "1-2": 1, "1-5": 1, "4-8": 1, "4-9": 1}
    made = using(91, cruisers={"4-5": 1}, others=seats({}, {"cruisers": held}), **TWO_TEAMS)
    play(made, "gate 4-5", "ships 1", "gate 1-4")
    assert names(made) == ["gate 4-5"]
    play(made, "gate 4-5")
    assert cruisers(made) == {"4-5": 1}


@pytest.mark.parametrize(("card", "offered"), [(4, False), (6, False), (31, True), (39, True)])
def test_a_boost_of_ships_makes_no_second_move_past_an_allys_gates(card, offered):
    # All gates that 1-4 leads to are the ally's. Cards 4 and 6 have their ships in the box.
    held = {"1-2": 1, "1-5": 1, "4-5": 1, "4-8": 1, "4-9": 1}
    made = game(
        impulse=[[card, 106], []],
        phase="use_impulse",
        transports={},
        cruisers={"1-4": 1},
        minerals=[16, 35],
        others=seats({}, {"cruisers": held}),
        **TWO_TEAMS,
    )
    assert ("use" in names(made)) == offered


def test_fleets_that_go_to_the_same_card_never_end_on_an_allys_gate():
    # R4 and p. 9: one move each.
    made = using(
        98,
        cruisers={"8-9": 1, "9-14": 1},
        others=seats({}, {"cruisers": {"9-10": 1}}),
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1")
    assert "gate 9-10" not in names(made)
    play(made, "gate 9-13", "gate 9-14", "ships 1")
    assert "gate 9-10" not in names(made)


def test_no_cruiser_is_built_on_an_allys_gate():
    # section 11; four players: the home of seat 0 is 1.
    made = using(22, others=seats({}, {"cruisers": {"1-5": 1, "1-2": 1}}), transports={1: 1},
                 **TWO_TEAMS)  # fmt: skip
    assert names(made) == ["gate 1-4"]


def test_transports_are_built_beside_those_of_allies():
    made = using(10, transports={9: 1}, others=seats({}, {"transports": {1: 2}}), **TWO_TEAMS)
    play(made, "cell 1")
    assert transports(made) == {1: 1, 9: 1}
    assert transports(made, 2) == {1: 2}


# --- Sabotage (p. 9) ----------------------------------------------------------------------------


def test_allies_are_never_sabotaged():
    made = using(
        15,
        transports={9: 1},
        others=seats(
            {"cruisers": {"9-10": 1}},
            {"transports": {9: 1}, "cruisers": {"9-13": 1}},
            {"transports": {17: 1}},
        ),
        **TWO_TEAMS,
    )
    assert names(made) == ["gate 9-10"]


def test_an_ally_is_no_choice_among_the_owners_on_a_cell():
    made = using(
        104,
        transports={9: 1},
        others=seats({"transports": {9: 1}}, {"transports": {9: 1}}, {"transports": {9: 1}}),
        **TWO_TEAMS,
    )
    play(made, "cell 9")
    assert names(made) == ["seat 1", "seat 3"]


def test_an_only_enemy_among_allies_is_the_target():
    made = using(
        104,
        transports={9: 1},
        others=seats({"transports": {9: 2}}, {"transports": {9: 1}}, {"transports": {17: 1}}),
        deck=[TWO, ONE, END],
        **TWO_TEAMS,
    )
    play(made, "cell 9")
    assert is_done(made)
    assert transports(made, 1) == {9: 1}
    assert transports(made, 2) == {9: 1}


def test_an_allys_presence_gives_no_reach():
    # p. 36: "cards that you patrol … or occupy"
    made = game(
        impulse=[[15], []],
        phase="use_impulse",
        transports={1: 1},
        others=seats({"transports": {9: 2}}, {"transports": {9: 1}}),
        **TWO_TEAMS,
    )
    assert names(made) == ["pass"]


# --- Battles against another team's Impulse -----------------------------------------------------


@pytest.mark.parametrize("side", ["attacker", "defender"])
@pytest.mark.parametrize("team", [0, 1])
def test_reinforcements_match_the_impulse_of_the_own_team(side, team):
    # p. 34, p. 9, P12. Card 92 (red 3) is laid; card 18 (red 3) is on the Impulse of `team`.
    laid = {"hand": [92]}
    made = using(
        31,
        impulse=[18] if team == 0 else [],
        rival_impulses=[[18] if team == 1 else []],
        transports={1: 1},
        cruisers={"8-9": 1},
        others=seats(
            {"transports": {3: 1}, "cruisers": {"9-10": 1}} | (laid if side == "defender" else {})
        ),
        deck=[ONE, 17, END],
        **(laid if side == "attacker" else {}),
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    play(made, *(["pass", "card 92", "pass"] if side == "attacker" else ["card 92", "pass"]))
    if side == "defender":
        play(made, "pass")
    counts = team == (0 if side == "attacker" else 1)
    assert (hand(made, 0 if side == "attacker" else 1) == []) == counts


@pytest.mark.parametrize("where", ["plan", "techs"])
def test_an_allys_plan_and_techs_are_of_no_use(where):
    # p. 34: "your Plan, or either of your Techs"
    made = using(
        31,
        hand=[92],
        transports={1: 1},
        cruisers={"8-9": 1},
        others=seats(
            {"transports": {3: 1}, "cruisers": {"9-10": 1}},
            {"transports": {19: 1}, where: [18] if where == "plan" else [18, "basic"]},
        ),
        deck=[ONE, 17, END],
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "card 92", "pass")
    assert hand(made) == [92]


# --- Points and winners (pp. 9, 16) -------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "team_size", "winners"), [(4, 2, [0, 2]), (6, 2, [0, 3]), (6, 3, [0, 2, 4])]
)
def test_a_team_wins_when_a_member_has_twenty_points(players, team_size, winners):
    made = using(
        35, score=19, transports={9: 1}, team_size=team_size, others=seats(players=players)
    )
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert made.is_over
    assert made.winners == winners
    assert made.scores == [20, *[0] * (players - 1)]


def test_points_are_individual():
    # p. 9: "Your points are all tracked individually."
    made = using(
        35,
        score=15,
        transports={9: 1},
        others=seats({}, {"transports": {19: 1}, "score": 19}),
        **TWO_TEAMS,
    )
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert made.scores == [16, 0, 19, 0]
    assert not made.is_over


def test_a_defender_wins_for_the_team():
    made = using(
        31,
        transports={1: 1},
        cruisers={"8-9": 1},
        others=seats({"transports": {3: 1}, "cruisers": {"9-10": 1}, "score": 18}),
        deck=[TWO, ONE, END],
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.winners == [1, 3]


def test_only_own_cruisers_score_at_the_sector_core():
    # p. 13: "each of your fleets"
    made = game(
        impulse=[[106], []],
        phase="use_impulse",
        transports={1: 1},
        cruisers={"5-10": 1},
        others=seats({}, {"cruisers": {"9-10": 1, "10-11": 1}}),
        **TWO_TEAMS,
    )
    play(made, "pass")
    assert made.scores == [1, 0, 0, 0]


def test_transports_enter_the_sector_core_that_an_ally_patrols():
    made = using(35, transports={9: 1}, others=seats({}, {"cruisers": {"10-15": 1}}), **TWO_TEAMS)
    play(made, "cell 9", "ships 1", "cell 10", "color blue")
    assert points(made) == 1


# --- Elimination (p. 17) ------------------------------------------------------------------------


def test_a_team_plays_on_without_an_eliminated_member():
    made = crossing(1, 2, {"transports": {9: 1}})
    assert made.state["eliminated"][1]
    assert not made.is_over
    play(made, "pass")
    assert made.seat == 2


@pytest.mark.parametrize(
    ("cell", "others", "winners"),
    [
        (1, [{"transports": {9: 1}}, {"eliminated": True}, {"transports": {9: 2}}], [0, 2]),
        (
            8,
            [
                {"transports": {9: 1}},
                {"transports": {3: 1}},
                {"transports": {9: 1}},
                {"transports": {19: 1}},
                {"transports": {9: 1}},
            ],
            [0, 2, 4],
        ),
    ],
    ids=["seat 2 was out", "all are left"],
)
def test_the_last_team_wins_with_all_its_members(cell, others, winners):
    # p. 17, section 10: "If only one player (or team) is left, that one wins."
    made = crossing(cell, len(winners), *others, players=2 * len(winners))
    assert made.is_over
    assert made.winners == winners


def test_with_three_teams_two_of_them_play_on():
    made = crossing(8, 2, {"transports": {9: 1}}, {}, {}, {"transports": {9: 1}}, {}, players=6)
    assert [bool(out) for out in made.state["eliminated"][:6]] == [0, 1, 0, 0, 1, 0]
    assert not made.is_over


def test_an_eliminated_attacker_can_end_the_game_for_the_other_team():
    made = using(
        31,
        transports={},
        cruisers={"8-9": 1},
        others=[
            {"transports": {3: 1}, "cruisers": {"9-10": 1}},
            {"eliminated": True},
            {"transports": {17: 1}},
        ],
        deck=[TWO, ONE, END],
        **TWO_TEAMS,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.is_over
    assert made.winners == [1, 3]
