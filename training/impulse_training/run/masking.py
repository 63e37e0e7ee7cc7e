"""The mask of legal actions, applied to logits that are learned from."""

from typing import Any, Final

import torch
from torch import Tensor

MASKED_LOGIT: Final = -1e8
"""Logit of an illegal action, whose probability is then exactly 0.

It is finite because infinity would make numbers of what is learned from: an illegal action adds
its probability times the logarithm of that to the entropy, and its target times the same to a loss;
0 times infinity is undefined, and so are the gradients. 0 times this is 0. A type whose numbers end
earlier, such as float16, gets half of its lowest number: the logarithm of a sum can be subtracted.
"""


def mask_logits(logits: Tensor, masks: Any) -> Tensor:
    """Return the logits with `MASKED_LOGIT` for illegal actions.

    Args:
        logits: Shape ``(n, N_ACTIONS)``, of any floating type, on any device; far above
            `MASKED_LOGIT`.
        masks: Legal actions, an array or a tensor of as many numbers or bools, 0 for illegal.
    """
    legal = torch.as_tensor(masks, device=logits.device) != 0
    lowest = max(MASKED_LOGIT, torch.finfo(logits.dtype).min / 2)
    return logits.masked_fill(~legal.view(logits.shape), lowest)
