"""Optimizers are Keras's with the arguments of the spec; schedules are as stated."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from tests.evaluate_fragment import evaluate
from tfpc.types.fragment import Literal, call, name
from tfpc.types.quantity import Epochs, Steps
from tfpc.vocabulary.registry import words

pytestmark = pytest.mark.tensorflow

SGD, ADAM = words("optimizer")["sgd"], words("optimizer")["adam"]
ADAMW, RMSPROP = words("optimizer")["adamw"], words("optimizer")["rmsprop"]
COSINE = words("schedule")["cosine"]


@pytest.fixture(scope="module")
def scope():
    """What a fragment of an optimizer or schedule finds in the program."""
    import keras

    from tfpc.program.schedules import cosine

    return {"keras": keras, "cosine": cosine, "round": round}


@pytest.mark.parametrize(
    ("cls", "arguments"),
    [
        (SGD, {}),
        (SGD, {"momentum": 0.9, "nesterov": True}),
        (SGD, {"weight_decay": 1e-4}),
        (ADAM, {}),
        (ADAM, {"beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-6}),
        (ADAM, {"weight_decay": 0.01}),
        (ADAMW, {}),
        (ADAMW, {"weight_decay": 0.05, "beta_2": 0.95}),
        (ADAMW, {"weight_decay": 0.0}),
        (RMSPROP, {}),
        (RMSPROP, {"rho": 0.99, "momentum": 0.9, "epsilon": 1e-3, "centered": True}),
        (RMSPROP, {"weight_decay": 1e-4}),
    ],
)
def test_an_optimizer_is_that_of_keras(scope, cls, arguments):
    word = cls(learning_rate=0.25, **arguments)
    code = word.code(Literal(0.25))
    # What is not said, or has Keras's own default, is not in the program.
    assert {key: value.value for key, value in code.keywords} == arguments
    config = evaluate(code, scope).get_config()
    assert config["learning_rate"] == 0.25
    for field in cls.model_fields:
        assert config[field] == getattr(word, field), field


def test_weight_decay_takes_its_share(scope):
    keras = scope["keras"]
    word = SGD(learning_rate=0.5, weight_decay=0.1)
    optimizer = evaluate(word.code(Literal(0.5)), scope)
    variable = keras.Variable([2.0])
    optimizer.apply([keras.ops.zeros(1)], [variable])
    assert float(variable[0]) == pytest.approx(2.0 * (1 - 0.5 * 0.1))


@pytest.mark.parametrize("word", words("optimizer"))
def test_its_variables_are_all_that_it_remembers(scope, word):
    """A checkpoint holds `optimizer.variables`, so a resumed run goes on exactly."""
    keras = scope["keras"]

    def trained(steps, saved=()):
        code = words("optimizer")[word](learning_rate=0.1).code(Literal(0.1))
        optimizer, weight = evaluate(code, scope), keras.Variable([2.0, -1.0])
        optimizer.build([weight])
        for variable, value in zip(
            (weight, *optimizer.variables), saved, strict=bool(saved)
        ):
            variable.assign(value)
        for _ in range(steps):
            optimizer.apply([keras.ops.sin(3 * weight)], [weight])
        return [keras.ops.convert_to_numpy(v) for v in (weight, *optimizer.variables)]

    for resumed, whole in zip(trained(3, trained(4)), trained(7), strict=True):
        assert (resumed == whole).all()


def test_weight_decay_of_adamw_is_apart_from_the_gradient(scope):
    keras = scope["keras"]
    for word, expected in ((ADAMW, 2.0 * (1 - 0.5 * 0.1)), (ADAM, 2.0)):
        given = {"weight_decay": 0.1} if word is ADAMW else {}
        code = word(learning_rate=0.5, **given).code(Literal(0.5))
        optimizer, variable = evaluate(code, scope), keras.Variable([2.0])
        optimizer.apply([keras.ops.zeros(1)], [variable])
        assert float(variable[0]) == pytest.approx(expected)


def test_a_schedule_is_a_learning_rate(scope):
    word = ADAM(learning_rate=COSINE(peak=0.1, warmup=Steps(2)))
    code = word.code(word.learning_rate.code(Literal(10), Literal(5)))
    optimizer = evaluate(code, scope)
    optimizer.build([])
    rates = []
    for step in range(4):
        optimizer.iterations.assign(step)
        rates.append(float(optimizer.learning_rate))
    assert rates[:3] == pytest.approx([0, 0.05, 0.1])
    assert rates[3] < 0.1


def cosine_rate(step, peak, floor, warmup, steps):
    """The formula of SGDR, with a line before it."""
    if step < warmup:
        return peak * step / warmup
    part = (step - warmup) / (steps - warmup)
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * part))


@pytest.mark.parametrize("warmup", [0, 1, 7, 39])
@pytest.mark.parametrize("floor", [0.0, 0.02, 0.3])
def test_cosine(scope, warmup, floor):
    word = COSINE(peak=0.3, warmup=Steps(warmup), floor=floor)
    schedule = evaluate(word.code(Literal(40), Literal(10)), scope)
    for step in range(41):
        expected = cosine_rate(step, 0.3, floor, warmup, 40)
        assert float(schedule(step)) == pytest.approx(expected, abs=1e-6)
    assert float(schedule(40)) == pytest.approx(floor, abs=1e-6)
    assert float(schedule(1000)) == pytest.approx(floor, abs=1e-6)


@pytest.mark.parametrize(
    ("warmup", "steps"),
    [
        (Steps(0), 0),
        (Steps(30), 30),
        (Epochs(0), 0),
        (Epochs(1), 15),
        (Epochs(2.0), 30),
        (Epochs(1.5), 22),
        (Epochs(0.1), 2),
    ],
)
def test_a_warmup_is_a_number_of_steps(scope, warmup, steps):
    code = COSINE(peak=1.0, warmup=warmup).code(name("steps"), name("steps_per_epoch"))
    inside = {**scope, "steps": 60, "steps_per_epoch": 15}
    found = evaluate(code.arguments[2], inside)
    assert found == steps
    assert isinstance(found, int)
    schedule = evaluate(code, inside)
    assert float(schedule(steps)) == pytest.approx(1.0)
    assert float(schedule(steps + 1)) < 1.0
    if steps:
        assert float(schedule(steps - 1)) < 1.0


def test_no_warmup_begins_at_the_peak(scope):
    code = COSINE(peak=0.4).code(Literal(10), Literal(5))
    assert code == call("cosine", 0.4, 0.0, 0, 10)
    assert float(evaluate(code, scope)(0)) == pytest.approx(0.4)


@pytest.mark.parametrize("warmup", [10, 11])
def test_a_warmup_as_long_as_training_is_refused_at_start(scope, warmup):
    code = COSINE(peak=0.4, warmup=Steps(warmup)).code(Literal(10), Literal(5))
    with pytest.raises(ValueError, match=f"rises for {warmup} steps"):
        evaluate(code, scope)


@pytest.mark.parametrize(
    ("cls", "arguments", "blamed"),
    [
        (SGD, {"learning_rate": 0}, "learning_rate"),
        (SGD, {"learning_rate": float("inf")}, "learning_rate"),
        (SGD, {"learning_rate": 0.1, "momentum": 1.0}, "momentum"),
        (SGD, {"learning_rate": 0.1, "nesterov": True}, "nesterov"),
        (SGD, {"learning_rate": 0.1, "weight_decay": -0.1}, "weight_decay"),
        (ADAM, {"learning_rate": SGD}, "learning_rate"),
        (ADAM, {"learning_rate": 0.1, "beta_2": 1}, "beta_2"),
        (ADAM, {"learning_rate": 0.1, "epsilon": 0}, "epsilon"),
        (ADAMW, {"learning_rate": 0.1, "weight_decay": -0.1}, "weight_decay"),
        (ADAMW, {"learning_rate": 0.1, "weight_decay": None}, "weight_decay"),
        (RMSPROP, {"learning_rate": 0.1, "rho": 1}, "rho"),
        (RMSPROP, {"learning_rate": 0.1, "momentum": -0.1}, "momentum"),
        (COSINE, {"peak": 0}, "peak"),
        (COSINE, {"peak": 0.1, "warmup": 3}, "warmup"),
        (COSINE, {"peak": 0.1, "warmup": Epochs(-1)}, "warmup"),
        (COSINE, {"peak": 0.1, "warmup": Epochs(math.inf)}, "warmup"),
        (COSINE, {"peak": 0.1, "floor": 0.2}, "floor"),
        (COSINE, {"peak": 0.1, "floor": -0.2}, "floor"),
    ],
)
def test_wrong_arguments_are_blamed(cls, arguments, blamed):
    with pytest.raises(ValidationError) as failure:
        cls(**arguments)
    assert {error["loc"][0] for error in failure.value.errors()} == {blamed}
