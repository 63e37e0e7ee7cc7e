"""The cards that a player could have added to the Impulse, with the one that was added."""

import pandas as pd


def offers(turns: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each different face in hand when a card was added to the Impulse.

    Args:
        turns: The table of turns, or rows of it. Turns with an empty hand add no card and have no
            rows in the result.

    Returns:
        The columns of the table, and four more:

            ``card``       int64: lowest printed number of the face
            ``in_hand``    int64: copies of the face in hand
            ``faces``      int64: different faces in hand; a random choice adds this one with
                           probability ``1 / faces``
            ``was_added``  bool: whether this face was added
    """
    rows = turns[turns.added != 0]
    result = rows.assign(card=rows.hand).explode("card").astype({"card": "int64"})
    keys = ["game", "turn", "card"]
    result["in_hand"] = result.groupby(keys).card.transform("size")
    result = result.drop_duplicates(keys)
    result["faces"] = result.groupby(keys[:2]).card.transform("size")
    result["was_added"] = result.card == result.added
    return result.reset_index(drop=True)
