"""The engine for programs in C, and in other languages that call C functions.

entries  the functions of the library: what they do, and their errors
code     their machine code, with plain C functions around them
files    the library on disk: that of a wheel, or made here
"""
