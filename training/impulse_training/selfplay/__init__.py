"""Training by self-play with Stable-Baselines3.

train_options    the options
train            the training, from its options to its result
games            of the policy against a pool of opponents
seat_vec_env     they as a `VecEnv` with the policy on many seats
batched_vec_env  the base of that: all games step in one call
rollout_buffer   what the policy's seats decided, and what came of it
opponent_pool    who sits on the other seats
ppo              the network as a policy of `MaskablePPO`
value_only       leaves the policy as it is, and lets the value learn
callback         evaluations, snapshots and saves on the way
figures          what the training itself tells in its learning curve
progress_bar     how far it is, in the terminal
tracker          HParams of TensorBoard, Weights & Biases, MLflow
checkpoint       what a training needs to go on to the bit
state_file       that as a file, and the one before
state_check      what is in it, looked at before it is used
folder           the folder of a training, and what lies in it
resume           the options of a resumed training
option_checks    options that cannot work
"""
