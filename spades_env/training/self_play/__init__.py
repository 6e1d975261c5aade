"""Learning from nothing: the parts of the loop in train/selfplay.py.

nets       the policy and the critic
ends       what every end of a hand is worth, by the rules
kernels    which tables have a choice, samples of cards, advantages
"""
