"""Schedules give the rates that their pages state, in every step, warmed up or not."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import Literal, name
from tfpc.types.quantity import Epochs, Steps
from tfpc.vocabulary.registry import words

pytestmark = pytest.mark.tensorflow

SCHEDULES = words("schedule")
CONSTANT, POLYNOMIAL = SCHEDULES["constant"], SCHEDULES["polynomial_decay"]
EXPONENTIAL, PIECEWISE = SCHEDULES["exponential_decay"], SCHEDULES["piecewise_constant"]
STEPS = 40
WARMUPS = pytest.mark.parametrize("warmup", [0, 1, 7])
ARGUMENTS = {
    "constant": {"peak": 0.3},
    "cosine": {"peak": 0.3},
    "polynomial_decay": {"peak": 0.3, "power": 2.0},
    "exponential_decay": {"peak": 0.3, "decay_rate": 0.5, "every": Steps(8)},
    "piecewise_constant": {"boundaries": (Steps(20),), "values": (0.3, 0.1)},
}


@pytest.fixture(scope="module")
def scope():
    """What a fragment of a schedule finds in the program."""
    import keras

    from tfpc.program import schedules

    parts = {word: getattr(schedules, word) for word in SCHEDULES}
    return {"keras": keras, "round": round, **parts}


def schedule_of(word, scope, steps=STEPS, steps_per_epoch=10):
    """The schedule of the program; forty steps in four epochs, unless said."""
    return evaluate(word.code(Literal(steps), Literal(steps_per_epoch)), scope)


def assert_rates(word, scope, expected):
    """Compares every step, as a number and as the counter of an optimizer."""
    schedule = schedule_of(word, scope)
    optimizer = scope["keras"].optimizers.SGD(schedule)
    optimizer.build([])
    for step in range(STEPS + 3):
        optimizer.iterations.assign(step)
        assert float(schedule(step)) == pytest.approx(expected(step), rel=1e-5)
        assert float(optimizer.learning_rate) == pytest.approx(expected(step), rel=1e-5)


def rising(step, warmup, peak, after):
    """A line to the peak, then a function of the steps since."""
    return peak * step / warmup if step < warmup else after(step - warmup)


@WARMUPS
def test_constant(scope, warmup):
    word = CONSTANT(peak=0.3, warmup=Steps(warmup))
    assert_rates(word, scope, lambda step: rising(step, warmup, 0.3, lambda _: 0.3))


@WARMUPS
@pytest.mark.parametrize(("floor", "power"), [(0.0, 1.0), (0.1, 1.0), (0.02, 2.5)])
def test_polynomial_decay(scope, warmup, floor, power):
    word = POLYNOMIAL(peak=0.3, warmup=Steps(warmup), floor=floor, power=power)

    def falling(step):
        left = max(0.0, 1 - step / (STEPS - warmup))
        return floor + (0.3 - floor) * left**power

    assert_rates(word, scope, lambda step: rising(step, warmup, 0.3, falling))
    assert float(schedule_of(word, scope)(STEPS)) == pytest.approx(floor, abs=1e-7)


@WARMUPS
@pytest.mark.parametrize("staircase", [False, True])
@pytest.mark.parametrize("every", [Steps(5), Epochs(0.5), Epochs(1)])
def test_exponential_decay(scope, warmup, every, staircase):
    word = EXPONENTIAL(
        peak=0.3, warmup=Steps(warmup), decay_rate=0.5, every=every, staircase=staircase
    )
    steps = 10 if every == Epochs(1) else 5

    def falling(step):
        times = step // steps if staircase else step / steps
        return 0.3 * 0.5**times

    assert_rates(word, scope, lambda step: rising(step, warmup, 0.3, falling))


@WARMUPS
@pytest.mark.parametrize(
    "boundaries", [(Steps(10), Steps(30)), (Epochs(1), Epochs(3.0))]
)
def test_piecewise_constant(scope, warmup, boundaries):
    """The first step of an epoch has the rate of that epoch; Keras is one step late."""
    values = (0.3, 0.1, 0.02)
    word = PIECEWISE(boundaries=boundaries, values=values, warmup=Steps(warmup))

    def piece(step):
        return values[(step >= 10) + (step >= 30)]

    assert_rates(
        word,
        scope,
        lambda step: rising(step, warmup, 0.3, lambda since: piece(since + warmup)),
    )


@pytest.mark.parametrize("boundary", [1, 2])
def test_a_boundary_can_be_the_first_step(scope, boundary):
    word = PIECEWISE(boundaries=(Steps(boundary),), values=(0.3, 0.1))
    schedule = schedule_of(word, scope)
    assert float(schedule(boundary - 1)) == pytest.approx(0.3)
    assert float(schedule(boundary)) == pytest.approx(0.1)


@pytest.mark.parametrize("word", SCHEDULES)
@pytest.mark.parametrize("warmup", [Steps(5), Epochs(0.5)])
def test_every_schedule_is_a_function_of_the_step_alone(scope, word, warmup):
    """So a resumed run goes on with the rate that it would have had."""
    tf = pytest.importorskip("tensorflow")
    cls = SCHEDULES[word]
    forwards, backwards = (
        schedule_of(cls(**ARGUMENTS[word], warmup=warmup), scope) for _ in range(2)
    )
    steps = range(STEPS)
    rates = [float(forwards(step)) for step in steps]
    assert [float(backwards(step)) for step in reversed(steps)] == rates[::-1]
    in_graph = tf.function(lambda step: backwards(step))
    traced = [float(in_graph(tf.constant(step, tf.int64))) for step in steps]
    assert traced == pytest.approx(rates, rel=1e-6)
    assert rates[0] == 0
    assert rates[5] == pytest.approx(0.3)
    assert all(rates[step] < rates[step + 1] for step in range(5))


@pytest.mark.parametrize("word", SCHEDULES)
@pytest.mark.parametrize("steps", [5, 4])
def test_a_warmup_as_long_as_training_is_refused_at_start(scope, word, steps):
    arguments = ARGUMENTS[word]
    with pytest.raises(ValueError, match=f"for 5 steps, but .* only {steps}: shorten"):
        schedule_of(SCHEDULES[word](**arguments, warmup=Steps(5)), scope, steps, 1)


@pytest.mark.parametrize(
    ("boundaries", "warmup"),
    [
        # An epoch has ten steps here, which only the program knows.
        ((Epochs(1), Epochs(2)), Steps(10)),
        ((Steps(8),), Epochs(1)),
        ((Epochs(0.01), Epochs(0.02)), Steps(0)),
    ],
)
def test_boundaries_without_steps_between_are_refused_at_start(
    scope, boundaries, warmup
):
    values = (0.3, 0.1, 0.02)[: len(boundaries) + 1]
    word = PIECEWISE(boundaries=boundaries, values=values, warmup=warmup)
    with pytest.raises(ValueError, match="move the boundaries apart"):
        schedule_of(word, scope)


def test_a_tiny_part_of_an_epoch_is_a_step(scope):
    word = EXPONENTIAL(peak=0.4, decay_rate=0.5, every=Epochs(0.01))
    assert float(schedule_of(word, scope)(2)) == pytest.approx(0.1)


def test_epochs_become_steps_in_the_program(scope):
    word = PIECEWISE(
        boundaries=(Epochs(1), Epochs(2.0), Epochs(2.5)), values=(1.0,) * 4
    )
    code = word.code(name("steps"), name("steps_per_epoch"))
    found = evaluate(code.arguments[0], {**scope, "steps_per_epoch": 15})
    assert found == [15, 30, 38]
    assert all(isinstance(each, int) for each in found)


TWO = {"boundaries": (Steps(5), Steps(9)), "values": (0.3, 0.2, 0.1)}


@pytest.mark.parametrize(
    ("cls", "arguments", "blamed", "said"),
    [
        (CONSTANT, {"peak": 0}, "peak", "greater than 0"),
        (CONSTANT, {"peak": 0.1, "warmup": Epochs(-1)}, "warmup", "at least zero"),
        (CONSTANT, {"peak": 0.1, "warmup": 3}, "warmup", ""),
        (POLYNOMIAL, {"peak": 0.1, "power": 0}, "power", "greater than 0"),
        (POLYNOMIAL, {"peak": 0.1, "floor": 0.2}, "floor", "at most `peak`"),
        (
            EXPONENTIAL,
            {"peak": 0.1, "decay_rate": 1.5, "every": Steps(1)},
            "decay_rate",
            "less than 1",
        ),
        (
            EXPONENTIAL,
            {"peak": 0.1, "decay_rate": 0.5, "every": Steps(0)},
            "every",
            "more than zero",
        ),
        (
            EXPONENTIAL,
            {"peak": 0.1, "decay_rate": 0.5, "every": Epochs(math.inf)},
            "every",
            "finite",
        ),
        (PIECEWISE, {**TWO, "boundaries": ()}, "boundaries", "at least 1"),
        (
            PIECEWISE,
            {**TWO, "boundaries": (Steps(5), Epochs(9))},
            "boundaries",
            "all be in epochs, or all in steps",
        ),
        (
            PIECEWISE,
            {**TWO, "boundaries": (Steps(5), Steps(5))},
            "boundaries",
            "in order",
        ),
        (PIECEWISE, {**TWO, "boundaries": (Steps(0),)}, "boundaries", "more than zero"),
        (PIECEWISE, {**TWO, "values": (0.1, 0.2)}, "values", "must hold 3 rates"),
        (PIECEWISE, {**TWO, "values": (0.1, 0.2, 0)}, "values", "greater than 0"),
        (PIECEWISE, {**TWO, "warmup": Steps(5)}, "warmup", "shorter than the first"),
    ],
)
def test_wrong_arguments_are_blamed(cls, arguments, blamed, said):
    with pytest.raises(ValidationError) as failure:
        cls(**arguments)
    errors = failure.value.errors()
    assert {error["loc"][0] for error in errors} == {blamed}
    assert any(said in error["msg"] for error in errors)
