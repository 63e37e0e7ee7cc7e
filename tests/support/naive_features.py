"""The features computed as they are described: what the quick way must agree with."""

import torch
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.features import CARD_CODES, last_place
from impulse_env.engine.constants import FACES


class NaiveFeatures:
    """Replaces `PrecomputedFeatures`."""

    def __init__(self, features):
        self.features, self.cards = features, features.cards()

    def __call__(self, observations, more=None):
        dense = self.features.dense(self.inputs(observations))
        return F.relu(dense if more is None else dense + more)

    def inputs(self, observations):
        """Return the dense layer's input: scaled counts, cards, pools, one-hot codes, places."""
        features, n = self.features, len(observations)
        numbers, codes = observations * features.scale, observations.long()
        faces = torch.stack([numbers[:, start : start + FACES] for start in features.by_face], 1)
        zones = torch.zeros(n, features.zones * CARD_CODES)
        pooled = codes[:, features.pooled] + features.zone_offset
        zones.scatter_add_(1, pooled, torch.ones(pooled.shape))
        small = zip(features.small, features.codes, strict=True)
        return torch.cat(
            [
                numbers[:, features.plain],
                (faces @ self.cards[1 : FACES + 1] * features.share).flatten(1),
                F.embedding(codes[:, features.slots], self.cards).flatten(1),
                (zones.view(n, features.zones, CARD_CODES) @ self.cards).flatten(1),
                *(F.one_hot(codes[:, column], length).float() for column, length in small),
                features.place(codes[:, features.large]).flatten(1),
                *(part for route in features.routes for part in self._route(codes[:, route])),
            ],
            dim=1,
        )

    def _route(self, route):
        """The sum of all places of a row, and the last one."""
        present = (route > 0).unsqueeze(2)
        return (self.features.place(route) * present).sum(1), self.features.place(last_place(route))
