"""One whole turn, step by step, as a player of the board game told it.

Three players: blue lives on cell 8, yellow on 3, green on 19; green is on turn. Green's home is a
Mine card, a Command card lies to its upper left (15), an unexplored card to its upper right (16),
a Draw card to its left (18). Blue has Transports on a Command card (14) and on a Draw card (13),
guarded by one Cruiser on 8-13.
"""

import helpers
from helpers import (
    cruisers,
    deck,
    discard,
    face_up,
    hand,
    impulse,
    known,
    minerals,
    names,
    plan,
    play,
    techs,
    transports,
)
from printed import ALL_CARDS, lying

BLUE, YELLOW, GREEN = 0, 1, 2
DRAW, TRADE, PLAN, COMMAND = 103, 83, 49, 41
MOVE_A_CRUISER = 31


def green_to_move():
    """Return the game as the text finds it."""
    return helpers.game(
        players=3,
        active=GREEN,
        turn=20,
        start_player=BLUE,
        race="piscesish",
        score=4,
        hand=[35, 75],  # blue's
        transports={13: 2, 14: 2},
        cruisers={"8-13": 1},
        others=[
            {
                "race": "ariek",
                "score": 5,
                "hand": [13],
                "transports": {3: 2},
                "cruisers": {"5-10": 1, "6-10": 2},
            },
            {
                "race": "herculese",
                "score": 6,
                "hand": [COMMAND, 2, 20, 38, 66],
                # Three yellow gems and a blue one.
                "minerals": [4, 35, 10],
                # The race's own Tech is covered by "Build [1] Cruiser at home".
                "techs": ["basic", 22],
                "transports": {19: 1, 15: 2},
                "cruisers": {"15-19": 1, "16-19": 1, "10-15": 1},
            },
        ],
        impulse=[DRAW, TRADE, PLAN],
        face_up={19: 7, 15: 12, 18: 5, 14: 88, 13: 1, 8: 29, 3: 85},
        face_down={16: 9, 1: 45},
        deck=[
            *(27, 60),  # Draw: one unseen, then one that is neither blue nor yellow
            *(44, 33),  # Plan: a Command of size 1, then a card too big
            *(34, 3),  # the battle: blue's card, then green's
            *(61, 101),  # the two cards at the end of the turn
            98,
        ],
    )


def test_the_turn_of_the_walkthrough():
    game = green_to_move()
    assert lying(game) == ALL_CARDS
    assert game.state["gems"][GREEN].tolist() == [0, 1, 0, 3]

    # 1. Green adds a Command card to the Impulse: mandatory, at its end.
    assert (game.seat, game.decision.kind) == (GREEN, "add_impulse")
    assert "pass" not in names(game)
    play(game, f"card {COMMAND}")
    assert impulse(game) == [DRAW, TRADE, PLAN, COMMAND]

    # 2. A Tech, if wanted: the common one or the Build card.
    assert game.decision.kind == "use_tech"
    assert names(game) == ["pass", "tech 0", "tech 1"]

    # With the Build card nothing is discarded; one blue gem is not enough for two Cruisers.
    other = play(game.copy(), "tech 1")
    assert names(other) == ["gate 15-19", "gate 16-19", "gate 18-19"]
    play(other, "gate 15-19")
    assert other.decision.kind == "use_impulse"
    assert len(hand(other, GREEN)) == len(hand(game, GREEN))
    # Two blue gems would build two.
    rich = game.to_position()
    rich["seats"][GREEN]["minerals"].append(11)
    rich["discard"].remove(11)
    rich = play(helpers.Game.from_position(rich), "tech 1", "gate 15-19")
    assert rich.decision.kind == "build_ship"

    # Green discards a card with the common Tech and builds a Transport at home.
    play(game, "tech 0", "card 2")
    assert discard(game).count(2) == 3
    assert names(game) == ["pass", "basic command", "basic build"]
    play(game, "basic build", "cell 19")
    assert transports(game, GREEN) == {15: 2, 19: 2}
    assert hand(game, GREEN) == [20, 31, 66]

    # 3. The Impulse, oldest first. Draw one card, then a blue or yellow one.
    assert game.decision.kind == "use_impulse"
    play(game, "use")
    assert hand(game, GREEN) == [20, 27, 31, 66], "the first face-down"
    assert known(game, GREEN) == []
    play(game, "use")
    assert 60 in discard(game), "a red card is shown to all and discarded"
    assert hand(game, GREEN) == [20, 27, 31, 66]
    assert game.decision.kind == "use_impulse", "no green gems: one card is shown"

    # Trade [1] card of size three; smaller ones are included.
    play(game, "use")
    assert names(game) == ["card 20", "card 27", "card 31", "card 66"]
    play(game, "card 27")
    assert game.scores == [4, 5, 8], "two points for a card of size 2"
    assert game.decision.kind == "use_impulse", "one blue gem does not allow a second card"

    # Plan two cards of size [1] from the deck: two are shown, one fits.
    play(game, "use")
    assert game.decision.kind == "keep_revealed", "seen before it is planned"
    play(game, "use", "use")
    assert 33 in discard(game)
    assert plan(game, GREEN) == [MOVE_A_CRUISER]
    assert game.decision.kind == "use_impulse"

    # The Command added: a fleet of [1] Transport, boosted to two by three yellow gems.
    play(game, "use")
    assert names(game) == ["cell 15", "cell 19"]
    play(game, "cell 19")
    assert names(game) == ["ships 1", "ships 2"], "two may go, one is enough"
    play(game, "ships 1")
    assert "cell 16" in names(game), "no enemy Cruiser in sight"
    play(game, "cell 16")

    # The card is explored before it is landed on: taken into hand, another one put down.
    assert game.decision.kind == "place_explored"
    assert hand(game, GREEN) == [9, 20, 31, 66]
    assert "pass" not in names(game)
    play(game, "card 38")
    assert face_up(game, 16) == MOVE_A_CRUISER
    assert transports(game, GREEN) == {15: 2, 16: 1, 19: 1}

    # It is activated: three gems and a Transport make [1] + 2 moves for a Cruiser.
    assert game.decision.kind == "activate"
    play(game, "use")
    assert set(names(game)) == {"gate 10-15", "gate 15-19", "gate 16-19"}
    play(game, "gate 16-19")
    assert names(game) == ["ships 1"]
    play(game, "ships 1")
    # Across the home, across the Draw card on its left, across the Command with blue Transports.
    assert "gate 18-19" in names(game)
    play(game, "gate 18-19")
    assert "gate 14-18" in names(game)
    assert "pass" in names(game)
    play(game, "gate 14-18")
    assert "gate 13-14" in names(game)
    assert transports(game, BLUE) == {13: 2, 14: 2}, "all is declared before anything happens"
    play(game, "gate 13-14")
    # Nobody guards those Transports: they are destroyed, one point each.
    assert transports(game, BLUE) == {13: 2}
    assert game.scores == [4, 5, 10]
    assert cruisers(game, GREEN) == {"10-15": 1, "13-14": 1, "15-19": 1}
    assert game.decision.kind == "use_plan", "the Impulse is over, and no moves are left"

    # 4. The Plan may be used or delayed; its Command moves a Cruiser [1] + 1.
    assert names(game) == ["pass", "use"]
    play(game, "use", "use", "gate 13-14", "ships 1")
    across_the_command = {"9-14", "10-14", "14-15", "14-17", "14-18"}
    assert set(names(game)) == {f"gate {gate}" for gate in across_the_command} | {"gate 8-13"}
    # Across the Draw card it must go where blue's Cruiser is, and fight; that ends the movement.
    play(game, "gate 8-13")
    assert (game.seat, game.decision.kind) == (BLUE, "reinforce"), "the defender first"
    assert transports(game, BLUE) == {13: 2}, "not destroyed before the battle is won"

    # Blue lays a card that matches the Command on the Impulse, and a bluff.
    assert names(game) == ["pass", "card 35", "card 75"]
    play(game, "card 75", "card 35", "pass")
    assert (game.seat, game.decision.kind) == (GREEN, "reinforce")
    assert "laid 2" in game.decision.prompt, "the attacker knows how many"
    before_green_lays = game.copy()

    # Green lays a card that matches the Plan on the Impulse (green, size 2).
    play(game, "card 66", "pass")

    # Blue: 1 + 2, green: 2 + 1. The defender wins ties.
    assert hand(game, BLUE) == [75], "the bluff returns"
    assert known(game, BLUE) == [75]
    assert cruisers(game, BLUE) == {"8-13": 1}
    assert transports(game, BLUE) == {13: 2}, "they may breathe again"
    assert cruisers(game, GREEN) == {"10-15": 1, "15-19": 1}
    assert {35, 34, 66, 3} <= set(discard(game)), "all cards used are discarded"

    # 5. One gate of the Sector Core with a Cruiser; 6. two cards, and the oldest Impulse card goes.
    assert game.scores == [6, 5, 11], "blue: one for winning, one for the Cruiser"
    assert plan(game, GREEN) == []
    assert MOVE_A_CRUISER in discard(game), "the used Plan"
    assert hand(game, GREEN) == [9, 20, 61, 101]
    assert impulse(game) == [TRADE, PLAN, COMMAND]
    assert DRAW in discard(game)
    assert deck(game) == [98]
    assert minerals(game, GREEN) == [4, 10, 35]
    assert techs(game, GREEN) == ["basic", 22]
    assert (game.seat, game.turn) == (BLUE, 21)
    assert game.decision.kind == "add_impulse"
    assert lying(game) == ALL_CARDS

    # Had green won: one for winning, one for the Cruiser and two for the Transports.
    won = play(before_green_lays, "card 66", "card 20", "pass")
    assert hand(won, GREEN)[:2] == [9, 20], "a red size 2 card matches nothing: no help"
    position = green_to_move().to_position()
    position["deck"][4:6] = [3, 34]  # blue's card is the small one
    won = helpers.Game.from_position(position)
    play(won, f"card {COMMAND}", "tech 0", "card 2", "basic build", "cell 19")
    play(won, "use", "use", "use", "card 27", "use", "use", "use")
    play(won, "use", "cell 19", "ships 1", "cell 16", "card 38", "use")
    play(won, "gate 16-19", "ships 1", "gate 18-19", "gate 14-18", "gate 13-14")
    play(won, "use", "use", "gate 13-14", "ships 1", "gate 8-13")
    play(won, "card 35", "pass", "card 66", "pass")
    assert won.scores == [4, 5, 10 + 4 + 1]
    assert cruisers(won, GREEN) == {"8-13": 1, "10-15": 1, "15-19": 1}
    assert won.state["eliminated"][BLUE], "it was blue's last fleet"

    # Yellow, with Cruisers on two gates of the Core, is to score two at the end of its turn.
    while game.turn < 23:
        if game.seat == YELLOW:
            before = game.scores[YELLOW]
        play(game, "pass" if "pass" in names(game) else names(game)[0])
        if game.turn == 22 and game.seat == GREEN:
            break
    assert game.scores[YELLOW] == before + 2
