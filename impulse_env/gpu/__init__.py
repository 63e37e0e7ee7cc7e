"""Games that stay on a GPU: the engine's own source, compiled for NVIDIA GPUs.

It needs torch and a driver; on a machine without a GPU, ``device="cpu"`` runs the same kernels.

batch     the games, stepped and observed without waiting for the host
kernels   what a thread does for its game: the functions of the engine, called once for each game
code      LLVM IR and PTX of a kernel
programs  launches kernels, through the GPU's driver or on the processor
stored    the PTX in a wheel or in the cache
"""

from impulse_env.gpu.batch import GpuBatch
from impulse_env.gpu.kernels import HOLD

__all__ = ["HOLD", "GpuBatch"]
