"""Imitation learning: demonstrations, and networks fitted to them or to a trained agent.

imitation_options  the options
demonstrations     the decisions of a teacher in its games
shards             demonstrations on disk
exported           demonstrations from data that `impulse export` wrote
shard_check        the file of a shard, whose arrays are checked on reading
behavior_cloning   fits a network to demonstrations
distillation       fits a network to a trained agent while it plays
student_state      the state of a distillation, on disk
"""
