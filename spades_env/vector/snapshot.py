"""The state of a `SpadesVectorEnv` as plain arrays, and the way back.

    state = env.get_state()         {name: array}; np.savez(path, **state) keeps it in a file
    env.set_state(state)            every table goes on from there: the same cards, seeds and random moves

NAME                 holds
tables               uint8[N, S], the records of `SpadesVectorEnv.tables`, byte by byte: all cards are open
rules, rules_of      uint8[K, R] and int32[N], the rules that they are played by, compiled
seeds, walks         uint64[N], of the deals and of the random moves
first_hands          int64[N], the number of the hand that the episode began with
others               what the environment shows under the same name
"""

from collections.abc import Mapping

import numpy as np

from spades_env.errors import SpadesError
from spades_env.vector.arrays import Ends, Progress, Step, Tables

State = dict[str, np.ndarray]
FIXED = ("rules", "rules_of")
FINAL = {"observation": "final_observation", "scores": "final_scores"}  # fields of Ends under the environment's names


def arrays_of(at: Tables, progress: Progress, step: Step, ends: Ends) -> State:
    """Return the arrays that hold all there is, under the names of a state; no copies."""
    return {
        "tables": _bytes(at.states),
        "rules": _bytes(at.rules),
        "rules_of": at.rules_of,
        "seeds": progress.seeds,
        "walks": progress.walks,
        "first_hands": progress.first_hands,
        **step._asdict(),
        **{FINAL.get(name, name): array for name, array in ends._asdict().items()},
    }


def restore(arrays: State, state: Mapping[str, np.ndarray]) -> None:
    """Write a state into these arrays; refuse one of other rules or of another number of tables."""
    if not isinstance(state, Mapping) or set(state) != set(arrays):
        found = ", ".join(map(str, state)) if isinstance(state, Mapping) else repr(state)
        raise SpadesError(f"a state is what get_state returned, with {', '.join(arrays)}; not {found:.200}")
    own, given = len(arrays["seeds"]), np.shape(state["seeds"])
    if given != (own,):
        raise SpadesError(f"the state is of {given[0] if given else 0} tables, and this environment has {own}")
    if any(not np.array_equal(arrays[name], state[name]) for name in FIXED):
        raise SpadesError("the state was taken under other rules than this environment's")
    for name, array in arrays.items():
        value = np.asarray(state[name])
        if value.shape != array.shape or value.dtype != array.dtype:
            raise SpadesError(
                f"{name} in the state must be {array.dtype}{list(array.shape)}, not {value.dtype}{list(value.shape)}"
            )
    for name, array in arrays.items():  # everything is checked before anything changes
        if name not in FIXED:
            array[:] = state[name]


def _bytes(records: np.ndarray) -> np.ndarray:
    """Return the same memory as bytes: uint8[len(records), size of a record]."""
    return records.view(np.uint8).reshape(len(records), -1)
