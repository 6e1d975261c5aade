"""One table for learners: what PettingZoo and Gymnasium ask for, and the agents around a learner."""
