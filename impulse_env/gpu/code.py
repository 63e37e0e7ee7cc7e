"""Kernels as machine code: the functions of the engine, one thread for each game.

numba compiles the engine to LLVM IR for the processor. The same IR, linked with a short entry
function, becomes PTX, which a GPU's driver turns into its own machine code. For tests without a
GPU it becomes code of the processor, which runs the threads one after the other.

LLVM's backend for NVIDIA GPUs is a part of llvmlite, which numba needs: nothing else is installed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from impulse_env.compiled.stand_alone import (
    RUNTIME,
    check_compilable,
    declaration_of,
    module_of,
    optimise,
)
from impulse_env.gpu.exponential import exponential

ARCHITECTURE: Final = "sm_80"
"""The oldest GPU that the PTX runs on (NVIDIA Ampere, 2020); every newer one runs it as well."""
_TRIPLE: Final = "nvptx64-nvidia-cuda"
_INTRINSIC: Final = "@llvm.exp."
"""LLVM's exponential function, which a processor's library of mathematics computes."""
_EXPONENTIAL: Final = "@impulse_exponential."
_THREAD: Final = "impulse_thread"
_SIZE: Final = "impulse_block_size"
_WAIT: Final = "impulse_wait"
_SHARED: Final = "impulse_shared"
MOST_SHARED: Final = 1 << 16
"""Bytes that a block can share when a kernel runs on the processor."""

# --- What the source of a kernel calls -----------------------------------------------------------


@intrinsic
def thread_index(context: Any) -> Any:
    """Return the number of the thread, 0 or more."""
    return types.int64(), _caller_of(_THREAD, ir.IntType(64))


@intrinsic
def add_one(context: Any, address: Any) -> Any:
    """Add 1 to the int64 at an address, in one step with regard to other threads.

    Returns the value before.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = ir.IntType(64)
        pointer = builder.inttoptr(arguments[0], integer.as_pointer())
        return builder.atomic_rmw("add", pointer, integer(1), "monotonic")

    return types.int64(address), generate


@intrinsic
def block_size(context: Any) -> Any:
    """Return the number of threads of a block: neighbours that share memory."""
    return types.int64(), _caller_of(_SIZE, ir.IntType(64))


@intrinsic
def wait_for_block(context: Any) -> Any:
    """Wait until all threads of the block are here."""
    return types.none(), _caller_of(_WAIT, ir.VoidType())


@intrinsic
def shared_bytes(context: Any, start: Any) -> Any:
    """Return a pointer to the uint8 at a place of the block's memory; see `Program`."""
    return types.CPointer(types.uint8)(start), _shared


@intrinsic
def shared_words(context: Any, start: Any) -> Any:
    """Return a pointer to the uint32 at a place, in bytes, of the block's memory."""
    return types.CPointer(types.uint32)(start), _shared


def _shared(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    byte = ir.IntType(8)
    memory = builder.module.globals.get(_SHARED)
    if memory is None:
        kind = ir.FunctionType(byte.as_pointer(), ())
        memory = ir.Function(builder.module, kind, _SHARED)
    place = builder.gep(builder.call(memory, ()), arguments)
    return builder.bitcast(place, context.get_value_type(signature.return_type))


def _caller_of(name: str, result: Any) -> Any:
    """Return what generates the call of a function of the entry's module."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.module.globals.get(name)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(result, ()), name)
        value = builder.call(function, ())
        return context.get_dummy_value() if isinstance(result, ir.VoidType) else value

    return generate


# --- Kernels -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)  # every launch looks its program up: no hash of numba's types
class Kernel:
    """A compiled function that a thread runs for one game.

    Attributes:
        name: The name in the machine code.
        function: A function of `jit_internal` that returns nothing; it calls `thread_index`.
        arguments: numba's types of its arguments: int64, or contiguous arrays of one or
            two dimensions.
        block: The number of threads of a block, chosen by measurement.
        unrolls: Whether loops are unrolled. A large kernel is faster without: its code must fit the
            GPU's instruction cache.
    """

    name: str
    function: Callable[..., None]
    arguments: tuple[Any, ...]
    block: int = 64
    unrolls: bool = True


def ptx(kernel: Kernel, architecture: str = ARCHITECTURE) -> str:
    """Return a kernel as PTX, the assembly language of NVIDIA's drivers."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(_TRIPLE)
    machine = target.create_target_machine(cpu=architecture, opt=3)
    return str(machine.emit_assembly(_optimised(kernel, machine, _TRIPLE, _GPU_ENTRY)))


def object_code(kernel: Kernel) -> bytes:
    """Return a kernel as an object file for this kind of processor.

    Its function takes the number of threads before the kernel's arguments, and returns the number
    of the first thread in which the source raised an error, or -1.
    """
    machine = _processor()
    code: bytes = machine.emit_object(
        _optimised(kernel, machine, llvm.get_process_triple(), _PROCESSOR_ENTRY)
    )
    return code


def loaded(code: bytes) -> Any:
    """Return an execution engine of LLVM with the functions of an object file."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _processor())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _processor() -> Any:
    """Return LLVM's target of code that this process can load."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(opt=2, jit=True)


def _optimised(kernel: Kernel, machine: Any, triple: str, entry: str) -> Any:
    """Return the module of a kernel with its entry function, optimised for a machine."""
    check_compilable("the kernels")
    from impulse_env.compiled.linking import source_of  # it needs a tested version of numba

    name, source = source_of(kernel.function, kernel.arguments)
    is_exponential = _INTRINSIC in source
    module = module_of(source.replace(_INTRINSIC, _EXPONENTIAL), triple, machine)
    parameters, passed = _parameters(kernel.arguments)
    returned = declaration_of(module, name)
    text = entry.format(
        name=kernel.name,
        function=name,
        parameters=parameters,
        passed=passed,
        returned=returned,
        shared=MOST_SHARED,
    )
    module.link_in(module_of(text, triple, machine))
    if is_exponential:
        _link_exponential(module, triple, machine)
    optimise(
        module, machine, {kernel.name}, unrolls=kernel.unrolls, vectorises="nvptx" not in triple
    )
    return module


def _link_exponential(module: Any, triple: str, machine: Any) -> None:
    """Define what `exponential` computes for both precisions; a GPU has no library for them."""
    from impulse_env.compiled.linking import source_of

    name, source = source_of(exponential, (types.float64,))
    defined = module_of(source, triple, machine)
    text = _EXPONENTIAL_ENTRY.format(
        name=_EXPONENTIAL, function=name, returned=declaration_of(defined, name)
    )
    module.link_in(module_of(text, triple, machine))
    module.link_in(defined)  # second: LLVM drops functions without a caller


def _parameters(arguments: tuple[Any, ...]) -> tuple[str, str]:
    """Return the parameters of an entry function, and what it passes to the kernel's source.

    An array is contiguous, and is passed as its address and its shape.
    """
    parameters, passed, count = [], [], 0
    for argument in arguments:
        if not isinstance(argument, types.Array):
            parameters.append(f"i64 %p{count}")
            passed.append(f"i64 %p{count}")
            count += 1
            continue
        ndim = argument.ndim
        data = f"%p{count}"
        shape = [f"i64 %p{count + 1 + k}" for k in range(ndim)]
        size = argument.dtype.size if isinstance(argument.dtype, types.Record) else None
        size = size or argument.dtype.bitwidth // 8
        parameters += [f"ptr {data}", *shape]
        count += 1 + ndim
        # The source computes the strides of contiguous arrays itself.
        strides = ["i64 0"] * (ndim - 1) + [f"i64 {size}"]
        # The number of items is only read by `len` of several dimensions, which has the shape.
        passed += ["ptr null", "ptr null", "i64 0", f"i64 {size}", f"ptr {data}", *shape, *strides]
    return ", ".join(parameters), ", ".join(passed)


_EXPONENTIAL_ENTRY: Final = """
{returned}
define double {name}f64(double %x) {{
  %result = alloca double
  %error = alloca ptr
  %status = call i32 @{function}(ptr %result, ptr %error, double %x)
  %value = load double, ptr %result
  ret double %value
}}
define float {name}f32(float %x) {{
  %wide = fpext float %x to double
  %value = call double {name}f64(double %wide)
  %narrow = fptrunc double %value to float
  ret float %narrow
}}
"""

_GPU_ENTRY: Final = (
    RUNTIME
    + """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
@impulse_shared_memory = external addrspace(3) global [0 x i8], align 16
define ptr @impulse_shared() alwaysinline {{
  ret ptr addrspacecast (ptr addrspace(3) @impulse_shared_memory to ptr)
}}
define void @impulse_wait() alwaysinline {{
  call void @llvm.nvvm.barrier0()
  ret void
}}
define i64 @impulse_block_size() alwaysinline {{
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %wide = zext i32 %size to i64
  ret i64 %wide
}}
define i64 @impulse_thread() alwaysinline {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, %size
  %thread = add i32 %first, %lane
  %wide = zext i32 %thread to i64
  ret i64 %wide
}}
{returned}
define ptx_kernel void @{name}({parameters}) {{
  %result = alloca ptr
  %error = alloca ptr
  %status = call i32 @{function}(ptr %result, ptr %error, {passed})
  ret void
}}
"""
)

_PROCESSOR_ENTRY: Final = (
    RUNTIME
    + """
@impulse_thread_now = internal global i64 0
@impulse_shared_memory = internal global [{shared} x i8] zeroinitializer, align 16
define ptr @impulse_shared() alwaysinline {{ ret ptr @impulse_shared_memory }}
define void @impulse_wait() alwaysinline {{ ret void }}
define i64 @impulse_block_size() alwaysinline {{ ret i64 1 }}
define i64 @impulse_thread() alwaysinline {{
  %thread = load i64, ptr @impulse_thread_now
  ret i64 %thread
}}
{returned}
define i64 @{name}(i64 %threads, {parameters}) {{
begin:
  %result = alloca ptr
  %error = alloca ptr
  br label %test
test:
  %thread = phi i64 [ 0, %begin ], [ %next, %done ]
  %left = icmp slt i64 %thread, %threads
  br i1 %left, label %run, label %whole
run:
  store i64 %thread, ptr @impulse_thread_now
  %status = call i32 @{function}(ptr %result, ptr %error, {passed})
  %failed = icmp eq i32 %status, 1
  br i1 %failed, label %broken, label %done
done:
  %next = add i64 %thread, 1
  br label %test
whole:
  ret i64 -1
broken:
  ret i64 %thread
}}
"""
)
