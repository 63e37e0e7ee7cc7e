"""The mask of legal actions, applied to logits that are learned from."""

import numpy as np
import pytest
import torch

from impulse_training.run.masking import mask_logits, probabilities


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


def test_probabilities_and_their_gradient_are_those_of_the_exponential():
    legal = torch.tensor([[True, False, True, True], [False, True, False, False]])
    weights = torch.tensor([[1.0, 2.0, -3.0, 0.5], [4.0, -1.0, 2.0, 1.0]])
    found = []
    for way in (probabilities, torch.exp):
        logits = torch.tensor([[0.3, 9.0, -1.2, 2.0], [1.0, 0.2, 3.0, -4.0]], requires_grad=True)
        chances = way(mask_logits(logits, legal).log_softmax(1))
        (chances * weights).sum().backward()
        found.append((chances.detach(), logits.grad))
    for ours, exact in zip(*found, strict=True):
        assert torch.allclose(ours, exact, rtol=1e-6, atol=1e-7)
        assert torch.equal(ours[~legal], torch.zeros(4))
