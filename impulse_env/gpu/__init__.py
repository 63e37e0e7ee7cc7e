"""Games that stay on a GPU: the engine's own source, compiled for NVIDIA GPUs.

It needs torch (extra `gpu`) and a driver; ``device="cpu"`` runs the same kernels without a GPU.

vector    the environment for one seat of many games, with tensors
batch     the games, stepped and observed without waiting for the host
kernels   what a thread does for its game: the functions of the engine, called once for each game
code      LLVM IR and PTX of a kernel
exponential  the exponential function
programs  launches kernels, through the GPU's driver or on the processor
stored    the PTX in a wheel or in the cache
"""

from impulse_env.extras import missing_extra

try:
    import torch  # noqa: F401
except ImportError as error:
    raise missing_extra("a game on a GPU", error, "gpu") or error from error

from impulse_env.gpu.batch import GpuBatch, OwnSeats
from impulse_env.gpu.kernels import HOLD
from impulse_env.gpu.vector import GpuOpponent, GpuVectorEnv

__all__ = ["HOLD", "GpuBatch", "GpuOpponent", "GpuVectorEnv", "OwnSeats"]
