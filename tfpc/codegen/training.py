"""Program text of the training step, the evaluation step and the whole run."""

from __future__ import annotations

from tfpc.codegen.monitors import write_monitors
from tfpc.codegen.sources import place_of, split_of
from tfpc.codegen.step import StepText
from tfpc.plan.ir import Mode
from tfpc.types.fragment import (
    Fragment,
    Item,
    Literal,
    Mapping,
    Name,
    Operation,
    call,
    list_of,
    name,
)
from tfpc.vocabulary.schedule import Schedule
from tfpc.vocabulary.settings import Strategy


class TrainingText(StepText):
    """Writes `train_model` with the steps inside it."""

    def write_train_step(self) -> None:
        """`train_step`, inside `train_model`."""
        with self.writer.function(
            "train_step",
            [f"{each.text}: tf.Tensor" for each in self.components],
            "None",
            "One batch: forward, backward, update.",
        ):
            if self.monitors.pictures:
                self.writer.expression(call("pictures.keep", self.input))
            self.write_device_call("train")
            with self.writer.with_(call("tf.GradientTape"), "tape"):
                self.writer.assign("scores", call("model", self.input, training=True))
                self.writer.assign(
                    "losses", call("losses_of", self.label, name("scores"))
                )
                if self.train.class_weights:
                    weights = call("weights_of", self.label)
                    weighted = Operation("*", name("losses"), weights)
                    self.writer.assign("losses", weighted)
                total = call("tf.reduce_sum", name("losses"))
                self.writer.assign("loss", Operation("/", total, name("BATCH")))
            variables_of = name("model.trainable_variables")
            self.writer.assign(
                "gradients", call("tape.gradient", name("loss"), variables_of)
            )
            self.writer.expression(
                call("optimizer.apply", name("gradients"), variables_of)
            )
            self.write_updates("train_metrics", ())

    def write_evaluation_step(self) -> None:
        """`evaluation_step`, inside `train_model`."""
        with self.writer.function(
            "evaluation_step",
            [f"{each.text}: tf.Tensor" for each in (*self.components, name("weight"))],
            "None",
            "One batch: forward only; fillers weigh nothing.",
        ):
            self.write_device_call("eval")
            self.writer.assign("scores", call("model", self.input, training=False))
            self.writer.assign("losses", call("losses_of", self.label, name("scores")))
            self.write_updates("evaluation_metrics", (name("weight"),))

    def write_device_call(self, mode: Mode) -> None:
        """The device's part of the pipeline."""
        function = self.on_device_name(mode)
        if function is not None:
            self.writer.assign(self.input.text, call(function, self.input))

    def write_updates(self, metrics: str, weight: tuple[Name, ...]) -> None:
        """Adds the batch to the metrics."""
        for word in self.train.names:
            given: tuple[Fragment, ...] = (name("losses"),)
            if word != "loss":
                kinds = self.train.label_type, self.model.scores
                metric = self.train.metrics[word].metric
                given = metric.given(*kinds, self.label, name("scores"))
            update = Name(f'{metrics}["{word}"].update_state')
            self.writer.expression(call(update, *given, *weight))

    def write_train_model(self) -> None:
        """`train_model`: everything in the order that is safe for every strategy."""
        with self.writer.function(
            "train_model",
            ["run: Run", "resume: bool"] if self.monitors.checkpoint else ["run: Run"],
            "None",
            "Builds everything, trains, and says what came out.",
        ):
            self.write_setup()
            made = write_monitors(self.writer, self.plan, self.monitors)
            if self.monitors.checkpoint:
                self.writer.line("if resume:")
                self.writer.line("    checkpoint.restore_latest(training)")
            self.writer.blank()
            self.write_train_step()
            if self.evaluated:
                self.writer.blank()
                self.write_evaluation_step()
            self.writer.blank()
            self.write_iterators()
            self.write_loop(made)

    def write_setup(self) -> None:
        """Seed, memory, strategy, sources, model, optimizer, in that order."""
        writer = self.writer
        writer.expression(call("keras.utils.set_random_seed", name("SEED")))
        if self.plan.settings.determinism:
            writer.expression(call("tf.config.experimental.enable_op_determinism"))
        settings = self.plan.settings
        memory = settings.memory.code(name("run.reporter"), asked=settings.memory_asked)
        writer.expression(memory)
        writer.assign("strategy", self.strategy.code(name("run.reporter"), self.place))
        if self.strategy.several:
            share = (name("strategy"), name("BATCH"), name("run.reporter"), self.place)
            writer.expression(call("check_share", *share))
        writer.assign("source", split_of("train", "run.root"))
        writer.assign(
            "steps_per_epoch", call("steps_in", name("source"), name("BATCH"))
        )
        if self.learnt:
            learn = call("functools.partial", name("learnt_features"), name("run.root"))
            folder = (name("run.folder"), name("run.reporter"), learn)
            writer.assign("learnt", call("learnt_in", *folder))
        if self.plan.python:
            writer.expression(call("PYTHON.load", self.modules))
        with writer.with_(call("strategy.scope")):
            rate = self.train.optimizer.learning_rate
            given = (name("steps_per_epoch"),) if isinstance(rate, Schedule) else ()
            writer.assign("optimizer", call("build_optimizer", *given))
            clock = (name("optimizer.iterations.value"),) if self.random else ()
            writer.assign("model", call("build_model", *clock, *self.learnt))
            if self.plan.python:
                writer.expression(call("PYTHON.check_scope", name("strategy")))
            writer.expression(
                call("optimizer.build", name("model.trainable_variables"))
            )
            writer.assign("train_metrics", call("build_metrics"))
            if self.evaluated:
                writer.assign("evaluation_metrics", call("build_metrics"))
        owners = (name("model.variables"), name("optimizer.variables"))
        writer.expression(call("check_scope", name("strategy"), *owners))
        if self.plan.python:
            metrics = [Name("train_metrics")]
            metrics += [Name("evaluation_metrics")] if self.evaluated else []
            seen = call("known_variables", *owners, *metrics)
            writer.expression(call("PYTHON.check_seen", seen))
        writer.assign(
            "training",
            call(
                "Training",
                name("run"),
                name("EPOCHS"),
                name("steps_per_epoch"),
                name("BATCH"),
                name("model"),
                name("optimizer"),
                call("Position"),
                name("train_metrics"),
            ),
        )

    def write_iterators(self) -> None:
        """The functions that take many steps each, over one iterator each."""
        reporter = name("run.reporter")
        dataset = call(
            "train_dataset",
            name("run.root"),
            name("training.position"),
            reporter,
            *self.learnt,
        )
        batches = self.iterator(dataset)
        deterministic = self.plan.settings.determinism
        clock = name("no_clock" if deterministic else "tf.timestamp")
        self.writer.assign(
            "take_steps",
            call("in_graph", name("strategy"), name("train_step"), batches, clock),
        )
        for split in self.evaluated:
            dataset = call(
                "evaluation_dataset", split, name("run.root"), reporter, *self.learnt
            )
            steps = call(
                "in_graph",
                name("strategy"),
                name("evaluation_step"),
                self.iterator(dataset),
                clock,
            )
            self.writer.assign(f"{split}_steps", steps)
            code = call(
                "evaluation",
                name("training"),
                split,
                Item(call("open_sources", name("run.root")), Literal(split)),
                name("EVALUATION_BATCH"),
                name(f"{split}_steps"),
                name("evaluation_metrics"),
            )
            self.writer.assign(f"evaluate_{split}", code)

    @property
    def modules(self) -> Mapping:
        """The user's modules, each with the first line of the spec that names it."""
        places: dict[str, str] = {}
        for use in self.plan.python:
            places.setdefault(use.word.function.partition(":")[0], use.word.place)
        return Mapping(tuple((key, Literal(value)) for key, value in places.items()))

    @property
    def learnt(self) -> tuple[Name, ...]:
        """What the encoders of `features` have learnt, if there are any."""
        return (name("learnt"),) if self.model.features else ()

    @property
    def strategy(self) -> Strategy:
        """The strategy of the spec."""
        return self.plan.settings.strategy

    @property
    def place(self) -> str:
        """The line of the spec that names the strategy; that of `train` without one."""
        return place_of(self.plan.settings.strategy_span or self.train.span)

    def iterator(self, dataset: Fragment) -> Fragment:
        """Where steps get their batches from."""
        if self.strategy.several:
            return call("divided", name("strategy"), dataset)
        return call("iter", dataset)

    def write_loop(self, made: list[str]) -> None:
        """The loop, what is checked after it, and the last word."""
        evaluate = (
            name("evaluate_validation") if "validation" in self.evaluated else None
        )
        monitors = list_of(*map(name, made))
        loop = call("train", name("training"), name("take_steps"), evaluate, monitors)
        stages = self.pipeline.stages["train"]
        if stages.cache is None:
            with self.writer.with_(self.named_failures()):
                self.writer.expression(loop)
        else:
            self.writer.expression(loop)
        self.writer.expression(call("check_traces", name("take_steps")))
        test = name("evaluate_test") if "test" in self.evaluated else None
        self.writer.expression(call("finish", name("training"), test))

    def named_failures(self) -> Fragment:
        """Names the file where reading fails in the middle of training."""
        function = self.pipeline.maps_of("train")[0][0]
        return call(
            "unreadable_named",
            name("source"),
            call(
                "functools.partial",
                name("train_keys"),
                name("source"),
                name("training.position"),
            ),
            self.pipeline.reader("train", function, 0),
        )
