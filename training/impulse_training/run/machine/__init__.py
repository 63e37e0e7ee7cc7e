"""What a training computes with.

hardware     this machine in words
device       where torch computes
allocator    keeps freed memory, which saves time
processes    others beside this one, which hear no Ctrl-C
ray_cluster  a connection to a Ray cluster
"""
