"""Compile quickly: these tests run each program for seconds only. `tests/many_hands.py` compiles as users do."""

import os

os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_backend_optimization_level=0"
