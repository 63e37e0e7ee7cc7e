"""Memory, processors, processes and clusters.

hardware     describes this machine
device       checks PyTorch devices
stopwatch    times the parts of a loop
allocator    keeps freed memory, which saves time
processes    worker processes, which ignore Ctrl-C
ray_cluster  connects to a Ray cluster
"""
