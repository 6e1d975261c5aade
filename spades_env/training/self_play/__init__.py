"""Learning from nothing: the parts of the loop, which train/selfplay.py and the trainer share.

tables     hands of games under many rules
inputs     what networks read at a table
choices    which calls are tried, which cards are learned from
ends       what every end of a hand is worth, by the rules
kernels    which seats have a choice, samples of actions, advantages
"""
