"""Memory, processors, processes and clusters.

hardware     describes this machine
device       checks PyTorch devices
stopwatch    times the parts of a loop
randomness   seeds the generators, and saves their states
allocator    keeps freed memory, which saves time
group        the processes of a training
processes    worker processes, which ignore Ctrl-C
ray_cluster  connects to a Ray cluster
"""
