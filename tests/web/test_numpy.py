"""What stands in for numpy in a page gives what numpy gives: each function, on arrays made up by hypothesis."""

import importlib
import math
import operator
from typing import Any

import numpy as real
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

own: Any = importlib.import_module("web.browser.numpy")
KINDS = ("int8", "int32", "int64", "uint64", "uint8", "float32", "float64", "bool")
SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
SMALL = settings(max_examples=60, deadline=None)


def numbers(kind):
    if kind == "bool":
        return st.booleans()
    if kind.startswith("float"):
        return st.integers(-40, 40).map(lambda n: n / 8)
    return st.integers(0 if kind.startswith("u") else -9, 9)


@st.composite
def pairs(draw, kinds=KINDS, shapes=SHAPES):
    """The same array twice: numpy's and ours."""
    kind, shape = draw(st.sampled_from(kinds)), draw(shapes)
    flat = draw(st.lists(numbers(kind), min_size=math.prod(shape), max_size=math.prod(shape)))
    return real.array(flat, kind).reshape(shape), own.array(flat, own_kind(kind)).reshape(shape)


def own_kind(name):
    return own.bool_ if name == "bool" else getattr(own, name)


def same(found, expected):
    """Are shape, type and every number the same, of arrays and of single numbers?"""
    if isinstance(expected, real.ndarray):
        assert isinstance(found, own.ndarray)
        assert found.shape == expected.shape
        assert found.dtype.name == expected.dtype.name
        assert not expected.size or real.array_equal(
            real.array(found.tolist()), real.array(expected.tolist()), equal_nan=expected.dtype.kind == "f"
        )
    elif isinstance(expected, float | real.floating):
        assert found == pytest.approx(float(expected), rel=1e-6, nan_ok=True)
    else:
        assert found == expected


@SMALL
@given(pairs(), pairs(), st.sampled_from(["add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge"]))
def test_operators_promote_and_stretch_as_numpy_does(one, other, name):
    if name == "sub" and one[0].dtype == other[0].dtype == bool:
        return  # numpy refuses it
    act = getattr(operator, name)
    try:
        expected = act(one[0], other[0])
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            act(one[1], other[1])
        return
    if (
        name in ("sub", "add", "mul")
        and expected.dtype.kind in "iu"
        and not fits(act, one[0], other[0], expected.dtype)
    ):
        return  # it would wrap around
    same(act(one[1], other[1]), expected)


def fits(act, one, other, kind):
    exact = act(one.astype(object), other.astype(object))
    info = real.iinfo(kind)
    return all(info.min <= int(value) <= info.max for value in exact.ravel())


@SMALL
@given(
    pairs(("int64", "float32", "float64")),
    st.integers(1, 5),
    st.sampled_from(["add", "mul", "floordiv", "mod", "truediv"]),
)
def test_numbers_of_pythons_take_the_type_of_the_array(pair, number, name):
    act = getattr(operator, name)
    same(act(pair[1], number), act(pair[0], number))
    same(act(number, pair[1] * 0 + 1), act(number, pair[0] * 0 + 1))


@SMALL
@given(pairs(("int64", "uint8", "bool")), st.integers(0, 3))
def test_bits(pair, number):
    for act in (operator.and_, operator.or_, operator.xor):
        same(act(pair[1], pair[1]), act(pair[0], pair[0]))
    same(~pair[1], ~pair[0])
    if pair[0].dtype != bool:
        same(pair[1] << number, pair[0] << number)
        same(pair[1] >> number, pair[0] >> number)


@SMALL
@given(pairs(), st.data())
def test_reductions(pair, data):
    axis = data.draw(st.sampled_from([None, *range(pair[0].ndim), -1]))
    for name in ("sum", "max", "all", "any", "argmax"):
        same(getattr(pair[1], name)(axis=axis), getattr(pair[0], name)(axis=axis))


@SMALL
@given(pairs())
def test_reductions_that_keep_their_axes(pair):
    for axis in range(pair[0].ndim):
        same(pair[1].sum(axis=axis, keepdims=True), pair[0].sum(axis=axis, keepdims=True))
        same(pair[1].max(axis=axis, keepdims=True), pair[0].max(axis=axis, keepdims=True))


@st.composite
def keys(draw, shape):
    """What may stand in brackets behind an array of this shape."""
    found = []
    for length in shape[: draw(st.integers(1, len(shape)))]:
        one = st.integers(-length, length - 1)
        found.append(draw(st.one_of(one, st.slices(length))))
    if draw(st.booleans()):
        found.insert(draw(st.integers(0, len(found))), None)
    if len([one for one in found if one is not None]) < len(shape) and draw(st.booleans()):
        found.append(Ellipsis)
    return tuple(found)


@SMALL
@given(pairs(), st.data())
def test_parts_are_the_same_and_share_their_memory(pair, data):
    key = data.draw(keys(pair[0].shape))
    expected, found = pair[0][key], pair[1][key]
    same(found, expected if isinstance(expected, real.ndarray) else expected.item())
    if isinstance(expected, real.ndarray) and expected.size:
        pair[0][key] = 1
        pair[1][key] = 1
        same(pair[1], pair[0])
        found[...] = 0
        expected[...] = 0
        same(pair[1], pair[0])


@SMALL
@given(pairs(), st.data())
def test_lists_and_masks_choose_copies(pair, data):
    length = pair[0].shape[0]
    chosen = data.draw(st.lists(st.integers(-length, length - 1), min_size=1, max_size=5))
    mask = data.draw(st.lists(st.booleans(), min_size=length, max_size=length))
    same(pair[1][chosen], pair[0][chosen])
    same(pair[1][own.array(chosen, own.int64)], pair[0][chosen])
    same(pair[1][own.array(mask, own.bool_)], pair[0][real.array(mask)])
    pair[0][real.array(mask)] = 1
    pair[1][own.array(mask, own.bool_)] = 1
    same(pair[1], pair[0])
    if pair[0].ndim > 1:
        last = data.draw(st.integers(0, pair[0].shape[1] - 1))
        same(pair[1][chosen, last], pair[0][chosen, last])
        same(pair[1][:, [last]], pair[0][:, [last]])
        same(pair[1][chosen, last:], pair[0][chosen, last:])
        same(pair[1][own.arange(length), [last] * length], pair[0][real.arange(length), [last] * length])


@SMALL
@given(pairs(), st.sampled_from(KINDS))
def test_copies_in_another_type_wrap_around(pair, kind):
    if kind.startswith("u") and pair[0].dtype.kind == "f":
        return  # what numpy does with negative ones depends on the processor
    same(pair[1].astype(own_kind(kind)), pair[0].astype(kind))
    same(own.array(pair[1]), real.array(pair[0]))


@SMALL
@given(pairs())
def test_shapes(pair):
    same(pair[1].reshape(-1), pair[0].reshape(-1))
    same(pair[1].T, pair[0].T)
    same(pair[1].T.copy(), pair[0].T.copy())
    same(pair[1].T.reshape(-1), pair[0].T.reshape(-1))
    assert pair[1].T.tobytes() == pair[0].T.tobytes()
    assert (pair[1].ndim, pair[1].size, pair[1].nbytes, len(pair[1])) == (
        pair[0].ndim,
        pair[0].size,
        pair[0].nbytes,
        len(pair[0]),
    )
    assert own.shape(pair[1]) == real.shape(pair[0])
    same(own.pad(pair[1], [(1, 2)] * pair[0].ndim), real.pad(pair[0], [(1, 2)] * pair[0].ndim))
    same(own.concatenate([pair[1], pair[1]], axis=pair[0].ndim - 1), real.concatenate([pair[0], pair[0]], axis=-1))
    for found, expected in zip(own.split(pair[1], [1], axis=0), real.split(pair[0], [1], axis=0), strict=True):
        same(found, expected)
    same(own.ravel(pair[1]), real.ravel(pair[0]))
    assert list(own.ndindex(*pair[0].shape)) == list(real.ndindex(*pair[0].shape))


@SMALL
@given(pairs(("int64", "float32", "float64")), pairs(("int64", "float32", "float64")))
def test_functions_of_numbers(pair, other):
    if pair[0].shape == other[0].shape:
        same(own.minimum(pair[1], other[1]), real.minimum(pair[0], other[0]))
    same(own.minimum(pair[1], 2), real.minimum(pair[0], 2))
    same(own.where(pair[1] > 0, pair[1], 0), real.where(pair[0] > 0, pair[0], 0))
    same(own.flatnonzero(pair[1]), real.flatnonzero(pair[0]))
    same(pair[1].clip(-2, 2), pair[0].clip(-2, 2))
    same(own.isfinite(pair[1] / 1), real.isfinite(pair[0] / 1))
    with real.errstate(all="ignore"):
        for name in ("exp", "log", "sqrt"):
            close(getattr(own, name)(pair[1]), getattr(real, name)(pair[0]))
    if pair[0].dtype.kind == "f":
        same(own.abs(pair[1]), real.abs(pair[0]))


def close(found, expected):
    """The same numbers, but for the last bits: another C library's."""
    assert found.dtype.name == expected.dtype.name
    assert real.allclose(real.array(found.tolist()), expected, rtol=1e-6, equal_nan=True)


@SMALL
@given(pairs(("int64", "float64"), shapes=st.tuples(st.integers(1, 9))))
def test_functions_of_rows(pair):
    same(own.argsort(pair[1], kind="stable"), real.argsort(pair[0], kind="stable"))


def test_making_arrays():
    same(own.zeros((2, 3), own.int8), real.zeros((2, 3), real.int8))
    same(own.full((2, 2), -1, own.int64), real.full((2, 2), -1, real.int64))
    same(own.full(2, 0.5), real.full(2, 0.5))
    same(own.arange(2, 5), real.arange(2, 5))
    same(own.asarray([[1, 2], [3, 4]]), real.asarray([[1, 2], [3, 4]]))
    same(own.array([0.5, 1]), real.array([0.5, 1]))
    same(own.array([True, False]), real.array([True, False]))
    same(own.array([1 << 63]), real.array([1 << 63]))
    assert own.empty((3, 2), own.float32).shape == (3, 2)
    assert own.ascontiguousarray(own.zeros((2, 3)).T).strides == (16, 8)
    halves = real.array([0.5, -2.25, 65504], real.float16)
    same(own.frombuffer(halves.tobytes(), own.float16), halves)
    same(own.array(own.frombuffer(halves.tobytes(), own.float16), own.float32), halves.astype(real.float32))
    shared = bytearray(16)
    own.frombuffer(shared, own.int64)[1] = 5
    assert shared[8] == 5


def test_single_numbers_are_checked_and_rounded():
    assert (own.uint64(2**64 - 1), own.int64(-3), own.float64(0.1)) == (2**64 - 1, -3, 0.1)
    assert own.float32(0.1) == float(real.float32(0.1))
    for kind, value in ((own.uint64, -1), (own.int8, 200), (own.uint64, 2**64)):
        with pytest.raises(OverflowError):
            kind(value)
    with pytest.raises(AttributeError):
        own.linalg  # noqa: B018 — what is not here says so


FIELDS = [
    ("seed", "u8"),
    ("hands", "u8", 4),
    ("scores", "i4", 4),
    ("turn", "i1"),
    ("spread", "f8"),
    ("bits", "u1", (2, 3)),
]


def records() -> tuple[Any, Any, Any]:
    """A record type and three records of each library."""
    kinds = real.dtype(FIELDS, align=True), own.dtype((own.record, own.dtype(FIELDS, align=True)))
    return kinds, real.zeros(3, kinds[0]).view(real.recarray), own.zeros(3, kinds[1]).view(own.recarray)


def test_records_lie_in_memory_as_numpys_do():
    kinds, theirs, ours = records()
    assert kinds[0].itemsize == kinds[1].itemsize
    assert {name: at for name, (_, at, _) in kinds[1].fields.items()} == {n: f[1] for n, f in kinds[0].fields.items()}
    for one in (theirs, ours):
        one[1].turn, one[1].seed, one[1].spread = -3, 2**64 - 1, 0.25
        one[1].hands[:] = [1, 2, 3, 2**63]
        one.scores[2] = 7
        one.bits[:, 1] = 9
    assert ours.tobytes() == theirs.tobytes()
    same(ours.scores, theirs.scores)
    same(ours["turn"], theirs["turn"])
    mine, yours = ours[1].tolist(), theirs[1].tolist()
    assert mine[:1] == yours[:1]
    assert list(mine[1]) == yours[1].tolist()
    same(ours[[2, 1]].scores, theirs[[2, 1]].scores)
    whole = ours.view(own.dtype((own.void, kinds[1].itemsize)))[own.array([2, 0])].view(kinds[1])
    assert whole.tobytes() == ours[2].tobytes() + ours[0].tobytes()
    with pytest.raises(AttributeError):
        ours[0].tricks  # noqa: B018
    with pytest.raises(OverflowError):
        ours[0].turn = 200


def test_an_array_tells_kernels_where_it_lies():
    array = own.zeros((2, 3), own.float32)
    assert array.words[2:4] == (6, 4)
    assert array.words[5:] == (2, 3, 12, 4)
    assert array[1].address == array.address + 12


@SMALL
@given(
    st.lists(st.floats(width=16).map(lambda one: one if one == one else math.nan), max_size=9),
    st.sampled_from(["float16", "float32", "float64"]),
)
def test_floating_point_numbers_by_their_bits(values, kind):
    """Zeros, infinities, what is no number and the smallest ones have their signs and exponents, too."""
    theirs, ours = real.array(values, kind), own.array(values, getattr(own, kind))
    same(own.isfinite(ours), real.isfinite(theirs))
    assert own.isfinite(ours).all() == real.isfinite(theirs).all()
    assert own.abs(ours).tobytes() == real.abs(theirs).tobytes()
    turned = own.isfinite(ours.reshape(1, -1).T), real.isfinite(theirs.reshape(1, -1).T)
    same(*turned)
    same(ours.astype(own.float32), theirs.astype(real.float32))


def test_every_float16_is_widened():
    every = real.arange(1 << 16, dtype=real.uint16).view(real.float16)
    finite = every[real.isfinite(every)]
    found = own.frombuffer(finite.tobytes(), own.float16).astype(own.float32)
    assert found.tobytes() == finite.astype(real.float32).tobytes()


def test_a_model_is_not_checked_number_by_number(monkeypatch):
    """A page reads four levels of several hundred thousand numbers before the first card."""
    weights = own.frombuffer(bytes(2_000), own.float16)
    for name in ("_each", "_flat"):
        monkeypatch.setattr(own.ndarray, name, None)
    assert own.isfinite(weights).size == own.abs(weights).size == 1_000
