"""Masks the logits of illegal actions for training, and reads probabilities."""

from typing import Any, Final

import torch
from torch import Tensor

MASKED_LOGIT: Final = -1e8
"""Logit of an illegal action, whose probability becomes exactly 0.

It is finite because minus infinity leads to NaN: the entropy contains the probability times its
logarithm, and a loss the target times that logarithm. 0 times infinity is NaN, as are its
gradients; 0 times this logit is 0. For a type with a smaller range, such as float16, the logit is
half of the lowest number, so that the log-sum-exp can still be subtracted.
"""


def mask_logits(logits: Tensor, masks: Any) -> Tensor:
    """Return the logits with `MASKED_LOGIT` for illegal actions.

    Args:
        logits: Shape ``(n, N_ACTIONS)``, of any floating type, on any device; far above
            `MASKED_LOGIT`.
        masks: Legal actions: an array or tensor of equal size, of numbers or bools, 0 for illegal.
    """
    legal = torch.as_tensor(masks, device=logits.device) != 0
    lowest = max(MASKED_LOGIT, torch.finfo(logits.dtype).min / 2)
    return logits.masked_fill(~legal.view(logits.shape), lowest)


def probabilities(log_probs: Tensor) -> Tensor:
    """Return the probabilities of actions from their log-probabilities, shape ``(n, N_ACTIONS)``.

    On a CPU, ``log_probs.exp()`` takes ten times as long near `MASKED_LOGIT`.
    """
    return log_probs.softmax(1)
