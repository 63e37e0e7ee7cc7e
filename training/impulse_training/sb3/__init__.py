"""Baselines trained by the unmodified `MaskablePPO` of Stable-Baselines3's sb3-contrib.

sb3_options  the options
vec_env      many games of one seat as a `VecEnv`
policy       the project's network as a policy
train        a training run
"""
