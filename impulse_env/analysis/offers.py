"""Which cards a player could have added to the Impulse, beside the one that was added."""

import pandas as pd


def offers(turns: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each different face in hand when a card was added to the Impulse.

    Args:
        turns: The table of turns, or rows of it. Turns with an empty hand add nothing and have no
            rows here.

    Returns:
        The columns of the table, and ``card`` (int64: lowest printed number of the face),
        ``in_hand`` (int64: copies of it in hand), ``faces`` (int64: different faces in hand, among
        which this one is ``1 / faces`` likely to be added by chance) and ``was_added`` (bool).
    """
    rows = turns[turns.added != 0]
    found = rows.assign(card=rows.hand).explode("card").astype({"card": "int64"})
    keys = ["game", "turn", "card"]
    found["in_hand"] = found.groupby(keys).card.transform("size")
    found = found.drop_duplicates(keys)
    found["faces"] = found.groupby(keys[:2]).card.transform("size")
    found["was_added"] = found.card == found.added
    return found.reset_index(drop=True)
