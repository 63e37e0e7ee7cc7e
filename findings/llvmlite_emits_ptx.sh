#!/usr/bin/env bash
# Guess: PTX for an NVIDIA GPU takes NVVM or another compiler of the CUDA toolkit, as numba-cuda
# does; the LLVM inside llvmlite generates code for the processor only.
# Behaviour: llvmlite's wheel contains LLVM's backends for NVIDIA and AMD GPUs. They are unknown
# until initialize_all_targets() is called; initialize_native_target() does not register them.
# Then emit_assembly gives PTX 7.0 for sm_80. Unlike NVVM's default, product and sum stay two
# rounded instructions (mul.rn, add.rn), so floats agree with the processor's.
# Versions: llvmlite 0.50.0 (LLVM 22.1), Python 3.11, Linux x86-64.
# Source: the build of llvmlite's LLVM enables the targets host, AMDGPU and NVPTX.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.11}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check llvmlite==0.50.0
"$folder/venv/bin/python" - <<'END'
from llvmlite import binding as llvm

TRIPLE = "nvptx64-nvidia-cuda"
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
try:
    llvm.Target.from_triple(TRIPLE)
except RuntimeError as error:
    print("before:", error)
else:
    raise SystemExit("the backend was known at once")
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
print("after:", llvm.Target.from_triple(TRIPLE).description)
print("after:", llvm.Target.from_triple("amdgcn-amd-amdhsa").description)
machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="sm_80", opt=3)
kernel = f"""
target triple = "{TRIPLE}"
define ptx_kernel void @madd(ptr %out, float %a, float %b, float %c) {{
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  store float %sum, ptr %out
  ret void
}}
"""
ptx = machine.emit_assembly(llvm.parse_assembly(kernel))
print(ptx)
assert ".version 7.0" in ptx and ".target sm_80" in ptx and ".entry madd" in ptx
assert "mul.rn.f32" in ptx and "add.rn.f32" in ptx and "fma" not in ptx
END
