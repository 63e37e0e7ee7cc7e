"""The games that are learned from.

games            of the policy against a pool of opponents
opponent_pool    who sits on the other seats
seat_vec_env     the games as a `VecEnv` with the policy on many seats
batched_vec_env  the base of that: all games step in one call
"""
