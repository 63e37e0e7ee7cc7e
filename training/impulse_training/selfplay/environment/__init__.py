"""The games of self-play.

games          what a training sees of its games, and reports on those that ended
seat_games     the decisions of the policy on many seats
device_games   the same on the learner's device
coalition      the same with all seats but one against that one
opponent_pool  samples the opponents
make           makes games and opponents from the options
"""
