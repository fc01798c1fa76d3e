"""Program text of what a step needs: the device's part, loss, metrics, optimizer."""

from __future__ import annotations

from tfpc.codegen.monitors import Monitors, monitors_of
from tfpc.codegen.pipeline import PipelineText
from tfpc.codegen.variables import variable, variables
from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Mode, Plan
from tfpc.types.fragment import (
    Fragment,
    Literal,
    Mapping,
    Name,
    Operation,
    call,
    name,
)
from tfpc.vocabulary.schedule import Schedule


class StepText:
    """What the writers of the pieces and of the run both ask, and the pieces."""

    def __init__(self, writer: Writer, plan: Plan, pipeline: PipelineText) -> None:
        assert plan.model is not None
        assert plan.train is not None
        self.writer = writer
        self.plan = plan
        self.model = plan.model
        self.train = plan.train
        self.pipeline = pipeline
        self.monitors: Monitors = monitors_of(plan)
        self.random = any(
            node.layer is not None and node.layer.random for node in self.model.nodes
        )
        result = plan.chains["train"].result
        named = variables(result, pipeline.taken)
        self.components = list(named.values())
        self.label = named[self.train.label]
        if self.model.features:
            self.input = variable(self.model.component, pipeline.taken)
            self.components = [self.input, self.label]
        else:
            self.input = named[self.model.component]
        self.evaluated = [split for split in plan.data.splits if split != "train"]

    def write_on_device(self) -> None:
        """`on_device`: the steps that the device does, in one function or one a mode."""
        for mode in self.modes_of_device():
            function = self.on_device_name(mode)
            if function is None:
                continue
            with self.writer.function(
                function,
                [f"{self.input.text}: tf.Tensor"],
                "tf.Tensor",
                "The last steps of the pipeline, done where the model is.",
            ):
                code = self.device_code(mode)
                for step in code[:-1]:
                    self.writer.assign(self.input.text, step)
                self.writer.returns(code[-1])

    def modes_of_device(self) -> tuple[Mode, ...]:
        """The modes that need a function of their own."""
        same = self.device_code("train") == self.device_code("eval")
        return ("train",) if same or not self.evaluated else ("train", "eval")

    def on_device_name(self, mode: Mode) -> str | None:
        """The function that a mode calls, None if there is nothing to do."""
        if not self.device_code(mode):
            return None
        return "on_device" if len(self.modes_of_device()) == 1 else f"{mode}_on_device"

    def device_code(self, mode: Mode) -> list[Fragment]:
        """What the device does with the model's input: whole numbers become floats, unless
        the model takes them.
        """
        chain = self.plan.chains[mode]
        if self.model.features:
            return []
        code = [
            node.step.code(self.input, node.before[self.model.component], node.stream)
            for node in self.pipeline.stages[mode].device
            if node.target == self.model.component
        ]
        is_float = chain.result[self.model.component].is_float
        if not code and not is_float and self.model.input.is_float:
            code.append(call("tf.cast", self.input, Name("tf.float32")))
        return code

    def write_loss(self) -> None:
        """`losses_of`: the loss of each example."""
        with self.writer.function(
            "losses_of",
            [f"{self.label.text}: tf.Tensor", "scores: tf.Tensor"],
            "tf.Tensor",
            "The loss of each example.",
        ):
            self.writer.returns(
                self.train.loss.code(
                    self.train.label_type, self.model.scores, self.label, name("scores")
                )
            )

    def write_weights(self) -> None:
        """`weights_of`: how much each example counts, if classes differ in that."""
        weights = self.train.class_weights
        if not weights:
            return
        label = self.label
        with self.writer.function(
            "weights_of",
            [f"{label.text}: tf.Tensor"],
            "tf.Tensor",
            "How much the loss of each example counts in training, by its class.",
        ):
            constant = call("tf.constant", weights)
            code = call("tf.gather", constant, label)
            if self.train.label_type.is_float:
                code = call("tf.linalg.matvec", label, constant)
            self.writer.returns(code)

    def write_metrics(self) -> None:
        """`build_metrics`: what is measured, by name."""
        with self.writer.function(
            "build_metrics",
            [],
            "dict[str, keras.metrics.Metric]",
            "What is measured on every split.",
        ):
            metrics: list[tuple[str, Fragment]] = [
                ("loss", call("keras.metrics.Mean", name="loss"))
            ]
            for word, each in self.train.metrics.items():
                code = each.metric.code(self.train.label_type, self.model.scores)
                metrics.append((word, code))
            self.writer.returns(Mapping(tuple(metrics)))

    def write_optimizer(self) -> None:
        """`build_optimizer`: with its schedule, which counts in steps."""
        rate = self.train.optimizer.learning_rate
        scheduled = isinstance(rate, Schedule)
        parameters = ["steps_per_epoch: int"] if scheduled else []
        with self.writer.function(
            "build_optimizer", parameters, "keras.Optimizer", "As in the spec."
        ):
            code: Fragment = Literal(rate)
            if isinstance(rate, Schedule):
                steps = Operation("*", name("EPOCHS"), name("steps_per_epoch"))
                code = rate.code(steps, name("steps_per_epoch"))
            self.writer.returns(self.train.optimizer.code(code))
