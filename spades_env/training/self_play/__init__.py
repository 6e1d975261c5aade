"""Learning from nothing: the parts of the loop in train/selfplay.py.

tables     hands of games under many rules
choices    which calls are tried, which cards are learned from
nets       the policy and the critic
ends       what every end of a hand is worth, by the rules
kernels    which seats have a choice, samples of cards, advantages
"""
