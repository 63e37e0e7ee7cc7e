"""Operations of torch that a CUDA graph can record, checked on the processor."""

from contextlib import contextmanager

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode


class _Recordable(TorchDispatchMode):
    REFUSED = ("_local_scalar_dense", "nonzero", "is_nonzero", "masked_select", "unique")

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        assert name not in self.REFUSED, name
        if name in ("index", "index_put", "index_put_"):
            places = [one for one in args[1] if one is not None]
            assert all(one.dtype is not torch.bool for one in places), "depends on the contents"
        return function(*args, **(kwargs or {}))


@contextmanager
def recordable():
    """Refuse what a CUDA graph cannot record: reading a tensor's contents on the host."""

    def refuse(*_, **__):
        raise AssertionError("waits")

    with pytest.MonkeyPatch.context() as patch, _Recordable():
        for name in ("tolist", "item", "cpu", "numpy", "__bool__", "__int__", "__iter__"):
            patch.setattr(torch.Tensor, name, refuse)
        yield
