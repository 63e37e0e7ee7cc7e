"""Learning from a teacher: demonstrations, and networks fitted to them or to a trained agent.

imitation_options  the options
demonstrations     what a teacher decides in games of its own
shards             those on disk
exported           those in data that `impulse export` wrote
shard_check        one of these as a file, its arrays checked when it is read
behavior_cloning   fits a network to them
distillation       fits one to a trained agent that plays meanwhile
student_state      how far that has come, on disk
"""
