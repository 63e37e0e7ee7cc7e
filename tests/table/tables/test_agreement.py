"""A proposal is carried out once everybody agrees, and one No ends it."""

from impulse_table.tables.agreement import Agreement


def asking():
    gone = []
    return Agreement(lambda proposal: gone.append(proposal.to)), gone


def test_everybody_else_has_to_agree_before_it_is_carried_out():
    agreement, gone = asking()
    agreement.ask(0, [1, 2], at=9, to=8)
    assert agreement.summary(9) == {"seat": 0, "waiting": [1, 2]}
    assert agreement.answer([0], 9, agrees=True) is None
    assert agreement.answer([2], 9, agrees=True) is not None
    assert (gone, agreement.summary(9)) == ([], {"seat": 0, "waiting": [1]})
    agreement.answer([1], 9, agrees=True)
    assert (gone, agreement.summary(9)) == ([8], None)
    agreement.ask(0, [], at=9, to=8)
    assert gone == [8, 8]


def test_one_no_ends_a_proposal_and_so_does_the_next_decision():
    agreement, gone = asking()
    agreement.ask(1, [0, 2], at=5, to=4)
    assert agreement.answer([0], 5, agrees=False).seat == 1
    assert agreement.summary(5) is None
    agreement.ask(1, [0], at=5, to=4)
    assert agreement.answer([0], 6, agrees=True) is None
    assert agreement.summary(6) is None
    assert gone == []


def test_a_proposal_without_a_decision_stays_until_it_is_answered_or_withdrawn():
    agreement, gone = asking()
    agreement.ask(1, [0, 2])
    assert agreement.summary(7) == {"seat": 1, "waiting": [0, 2]}
    assert agreement.answer([1], 8, agrees=False) is not None
    assert agreement.summary(8) is None
    agreement.ask(1, [0])
    agreement.drop()
    assert agreement.answer([0], 8, agrees=True) is None
    assert gone == []
