"""The mask of legal actions, applied to logits that are learned from."""

import numpy as np
import pytest
import torch

from impulse_training.run.masking import mask_logits


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("as_what", [np.asarray, torch.as_tensor])
def test_a_masked_action_has_no_probability_and_leaves_gradients_numbers(as_what, dtype):
    logits = torch.tensor([[30.0, 40.0, 50.0], [0.0, 60.0, 0.0]], dtype=dtype, requires_grad=True)
    masks = np.array([[1, 1, 0], [0, 0, 1]], np.int8)
    for legal in (as_what(masks), as_what(masks != 0), as_what(masks.ravel())):
        chances = mask_logits(logits, legal).log_softmax(1)
        assert (chances.exp()[masks == 0] == 0).all()
        entropy = -(chances.exp() * chances).sum(1)
        loss = -(torch.tensor(masks / masks.sum(1, keepdims=True)) * chances).sum()
        (gradient,) = torch.autograd.grad(entropy.sum() + loss, logits)
        assert gradient.isfinite().all()
        assert (gradient[masks == 0] == 0).all()
        assert entropy[1] == 0
