"""The games of self-play.

games            base of environments with a learner and a pool of opponents
opponent_pool    samples the opponents
seat_vec_env     a `VecEnv` with the policy on many seats
batched_vec_env  base of a `VecEnv` that steps all games in one call
"""
