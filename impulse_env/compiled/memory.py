"""Memory that compiled code uses without an allocation of numba's."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic(prefer_literal=True)
def local_memory(context: Any, like: Any, count: Any) -> Any:
    """Return a pointer to `count` values of this thread, not initialised.

    Args:
        context: numba's context.
        like: A type of NumPy, such as ``np.int16``, or an array of the same type of values.
        count: A constant.
    """
    item, size = like.dtype, count.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_data_type(item)
        with builder.goto_entry_block():
            array = builder.alloca(ir.ArrayType(kind, size))
            array.align = 8
        return builder.bitcast(array, kind.as_pointer())

    return types.CPointer(item)(like, count), generate


@intrinsic
def record_at(context: Any, pointer: Any, records: Any) -> Any:
    """Return the record at a pointer, of the same type as those of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return records.dtype(pointer, records), generate


@intrinsic
def pointer_to(context: Any, start: Any, offset: Any, like: Any) -> Any:
    """Return a pointer to the value that lies `offset` bytes after another pointer's.

    Args:
        context: numba's context.
        start: A pointer.
        offset: An integer.
        like: A type of NumPy, such as ``np.int16``: the type of the value.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start, offset, _ = arguments
        byte = ir.IntType(8)
        place = builder.gep(builder.bitcast(start, byte.as_pointer()), [offset])
        return builder.bitcast(place, context.get_value_type(signature.return_type))

    return types.CPointer(like.dtype)(start, offset, like), generate
