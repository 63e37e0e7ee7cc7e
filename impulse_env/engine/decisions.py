"""The flat dispatcher: options of decisions, effects of choices, and automatic steps.

It maps each `Op` to its functions. It is a separate module to keep the call graph below it shallow,
because numba links and optimises everything below a function again for every caller.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine import battle, deal, deck, turn
from impulse_env.engine.action_space import CARD_0, COLOR_0, PASS, USE
from impulse_env.engine.boost import boost_of
from impulse_env.engine.constants import (
    ANY_COLOR,
    CORE,
    FIRST_AUTOMATIC,
    RUNNING,
    Action,
    Op,
    Purpose,
    Seat,
    State,
)
from impulse_env.engine.effects import (
    basic_tech,
    build,
    command,
    execute,
    from_hand,
    refine,
    research,
    reveal,
    sabotage,
    start,
)
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.stack import current_op, pop
from impulse_env.engine.state import OP, A, B


@jit_internal
def deciding_seat(state: State) -> Seat:
    """Return the seat that decides: not always the active one, as in battles or for a new deck."""
    # It calls no compiled functions, so that Python can use the `plain` function, too.
    top = int(state["stack_count"]) - 1
    if top >= 0 and state["stack"][top, OP] == Op.REINFORCE:
        return int(state["battle_seat"][state["stack"][top, A]])
    if top >= 0 and state["stack"][top, OP] == Op.DISCARD_FOR_DECK:
        return int(state["stack"][top, A])
    return int(state["active"])


@jit_internal
def activate_options(state: State, options: NDArray[np.int16]) -> int:
    """Offer the map card that the Transports arrived at; the Sector Core in a colour (p. 28)."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    cell = int(frame[A])
    if cell == CORE:
        return command.core_color_options(options)
    card = int(state["cell_card"][cell])
    options[0] = PASS
    boost = boost_of(state, int(state["active"]), card, int(frame[B]))
    if start.can_use(state, card, boost, 0, options, 1):
        options[1] = USE
        return 2
    return 1


@jit_internal
def apply_activate(state: State, action: Action) -> None:
    """Use the map card once, boosted by the Transports that moved there."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    cell = int(frame[A])
    arrived = int(frame[B])
    pop(state)
    if action == PASS:
        return
    state["activations"] += 1
    if cell == CORE:
        command.activate_core(state, action - COLOR_0, arrived)
    else:
        card = int(state["cell_card"][cell])
        boost = boost_of(state, int(state["active"]), card, arrived)
        start.push_effect(state, card, boost, 0)


@jit_internal
def keep_revealed_options(state: State, options: NDArray[np.int16]) -> int:
    """Offer the revealed card; a card to execute is offered only if it has an effect."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if frame[A] == Purpose.EXECUTE:
        return execute.use_card_options(state, card_on_offer(state), options)
    return reveal.yes_or_no_options(options)


@jit_internal
def apply_keep_revealed(state: State, action: Action) -> None:
    """Keep, execute or discard the revealed card."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if frame[A] == Purpose.EXECUTE and action == USE:
        execute.start_executed(state, card_on_offer(state))
    else:
        reveal.apply_keep_revealed(state, action)


@jit_internal
def list_options(state: State, options: NDArray[np.int16]) -> int:
    """Write the legal actions of the pending decision and return their number.

    0 means that there is nothing (more) to decide; the engine then passes.
    """
    op = current_op(state)
    if op == Op.USE_IMPULSE or op == Op.USE_PLAN_CARD:
        return turn.use_next_card_options(state, options)
    if op == Op.USE_TECH:
        return turn.use_tech_options(state, options)
    if op == Op.ADD_IMPULSE:
        return turn.add_impulse_options(state, options)
    if op == Op.USE_PLAN:
        return turn.use_plan_options(state, options)
    if op == Op.CHOOSE_FLEET:
        return command.choose_fleet_options(state, options)
    if op == Op.CHOOSE_SHIPS:
        return command.choose_ships_options(state, options)
    if op == Op.CHOOSE_MOVE:
        return command.choose_move_options(state, options)
    if op == Op.PLACE_EXPLORED or op == Op.PLACE_HOME or op == Op.BASIC_DISCARD:
        return deck.hand_options(state, int(state["active"]), ANY_COLOR, 1, 3, options, 0)
    if op == Op.ACTIVATE:
        return activate_options(state, options)
    if op >= Op.TRADE_CARD and op <= Op.RESEARCH_CARD:
        return from_hand.from_hand_options(state, options)
    if op == Op.REVEAL_NEXT:
        return reveal.yes_or_no_options(options)
    if op == Op.KEEP_REVEALED:
        return keep_revealed_options(state, options)
    if op == Op.REINFORCE:
        return battle.reinforce_options(state, options)
    if op == Op.BUILD_SHIP:
        return build.build_ship_options(state, options)
    if op == Op.BUILD_LOCATION:
        return build.build_location_options(state, options)
    if op == Op.SABOTAGE_FLEET:
        return sabotage.sabotage_fleet_options(state, options)
    if op == Op.SABOTAGE_OWNER:
        return sabotage.sabotage_owner_options(state, options)
    if op == Op.REFINE_CARD:
        return refine.refine_options(state, options)
    if op == Op.RESEARCH_SLOT:
        return research.slot_options(options)
    if op == Op.RESEARCH_PLANNED:
        return research.research_planned_options(state, options)
    if op == Op.CHOOSE_COPY:
        return research.choose_copy_options(state, options)
    if op == Op.USE_RESEARCHED:
        return execute.use_researched_options(state, options)
    if op == Op.EXECUTE:
        return execute.execute_options(state, options)
    if op == Op.USE_EXECUTED:
        return execute.use_card_options(state, card_on_offer(state), options)
    if op == Op.BASIC_MODE:
        return basic_tech.basic_mode_options(state, options)
    if op == Op.DISCARD_FOR_DECK:
        return deck.hand_options(state, deciding_seat(state), ANY_COLOR, 1, 3, options, 0)
    return deal.draft_race_options(state, options)


@jit_internal
def apply(state: State, action: Action) -> None:
    """Carry out the chosen action, one of `list_options`, or PASS if that lists none."""
    op = current_op(state)
    if op == Op.USE_IMPULSE or op == Op.USE_PLAN_CARD:
        turn.apply_use_next_card(state, action)
    elif op == Op.USE_TECH:
        turn.apply_use_tech(state, action)
    elif op == Op.ADD_IMPULSE:
        turn.apply_add_impulse(state, action)
    elif op == Op.USE_PLAN:
        turn.apply_use_plan(state, action)
    elif op == Op.CHOOSE_FLEET:
        command.apply_choose_fleet(state, action)
    elif op == Op.CHOOSE_SHIPS:
        command.apply_choose_ships(state, action)
    elif op == Op.CHOOSE_MOVE:
        command.apply_choose_move(state, action)
    elif op == Op.PLACE_EXPLORED:
        command.apply_place_explored(state, action)
    elif op == Op.ACTIVATE:
        apply_activate(state, action)
    elif op == Op.RESEARCH_CARD:
        research.apply_research_card(state, action)
    elif op >= Op.TRADE_CARD and op < Op.RESEARCH_CARD:
        from_hand.apply_from_hand(state, action)
    elif op == Op.REVEAL_NEXT:
        reveal.apply_reveal_next(state, action)
    elif op == Op.KEEP_REVEALED:
        apply_keep_revealed(state, action)
    elif op == Op.REINFORCE:
        battle.apply_reinforce(state, action)
    elif op == Op.BUILD_SHIP:
        build.apply_build_ship(state, action)
    elif op == Op.BUILD_LOCATION:
        build.apply_build_location(state, action)
    elif op == Op.SABOTAGE_FLEET:
        sabotage.apply_sabotage_fleet(state, action)
    elif op == Op.SABOTAGE_OWNER:
        sabotage.apply_sabotage_owner(state, action)
    elif op == Op.REFINE_CARD:
        refine.apply_refine(state, action)
    elif op == Op.RESEARCH_SLOT:
        research.apply_research_slot(state, action)
    elif op == Op.RESEARCH_PLANNED:
        research.apply_research_planned(state, action)
    elif op == Op.CHOOSE_COPY:
        research.apply_choose_copy(state, action)
    elif op == Op.USE_RESEARCHED:
        execute.apply_use_researched(state, action)
    elif op == Op.EXECUTE:
        execute.apply_execute(state, action)
    elif op == Op.USE_EXECUTED:
        execute.apply_use_executed(state, action)
    elif op == Op.BASIC_DISCARD:
        basic_tech.apply_basic_discard(state, action)
    elif op == Op.BASIC_MODE:
        basic_tech.apply_basic_mode(state, action)
    elif op == Op.DISCARD_FOR_DECK:
        deck.apply_discard_for_deck(state, action - CARD_0)
    elif op == Op.PLACE_HOME:
        deal.apply_place_home(state, action)
    else:
        deal.apply_draft_race(state, action)


@jit_internal
def run(state: State) -> None:
    """Do the next automatic step."""
    op = current_op(state)
    if op == Op.REVEAL:
        reveal.run_reveal(state)
    elif op == Op.MOVE:
        command.run_move(state)
    elif op == Op.ARRIVE:
        command.run_arrive(state)
    elif op == Op.FIGHT:
        command.run_fight(state)
    elif op == Op.EXPLORE:
        command.run_explore(state)
    elif op == Op.SCORE_CORE:
        turn.run_score_core(state)
    elif op == Op.DRAW_CARDS:
        turn.run_draw_cards(state)
    elif op == Op.END_TURN:
        turn.run_end_turn(state)
    elif op == Op.BATTLE_REVEAL:
        battle.run_battle_reveal(state)
    elif op == Op.BATTLE_DRAW:
        battle.run_battle_draw(state)
    elif op == Op.BATTLE_END:
        battle.run_battle_end(state)
    elif op == Op.BOMB:
        sabotage.run_bomb(state)
    elif op == Op.EXECUTED:
        execute.run_executed(state)
    elif op == Op.NEXT_BUILD_LOCATION:
        build.run_next_build_location(state)
    elif op == Op.NEXT_TO_DISCARD:
        deck.run_next_to_discard(state)
    elif op == Op.TAKE_HOME_CARD:
        deal.run_take_home_card(state)
    else:
        deal.run_start_game(state)


STEPPED: Final = -1
"""The result of `go_on` if no decision is needed yet."""


@jit_internal
def go_on(state: State, options: NDArray[np.int16]) -> int:
    """Do one automatic step or forced choice of a running game, or list the legal actions.

    Returns:
        The number of legal actions, written to `options`, or STEPPED.
    """
    deck.refill_deck(state)
    if current_op(state) >= FIRST_AUTOMATIC:
        run(state)
        return STEPPED
    count = list_options(state, options)
    if count > 1 or (count == 1 and not state["auto_forced"]):
        return count
    apply(state, int(options[0]) if count == 1 else PASS)
    return STEPPED


@jit_internal
def advance(state: State, action: Action, options: NDArray[np.int16]) -> int:
    """Do `action` (none if negative) and advance to the next decision.

    Args:
        state: The game; changed.
        action: One of the legal actions, or negative to advance from the current record.
        options: Receives the legal actions of that decision, in no particular order.

    Returns:
        Their number; 0 if the game is over.
    """
    if action >= 0:
        apply(state, action)
    while state["status"] == RUNNING:
        count = go_on(state, options)
        if count != STEPPED:
            return count
    return 0
