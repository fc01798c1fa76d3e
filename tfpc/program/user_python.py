"""Functions of the user's own Python files, imported when they are first needed."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pathlib
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence

import keras
import tensorflow as tf

from tfpc.program.randomness import draw
from tfpc.program.run import Run


def seed_of(seed: int, stream: int, epoch: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
    """int32[2]: for the `stateless` operations, by example, epoch and step."""
    bits = [draw(seed, stream, epoch, index), draw(seed, stream + 1, epoch, index)]
    return tf.bitcast(tf.stack(bits), tf.int32)


def known_variables(
    model: Sequence[keras.Variable],
    optimizer: Sequence[keras.Variable],
    *metrics: Mapping[str, keras.metrics.Metric],
) -> list[keras.Variable]:
    """All variables that training knows of."""
    known = [*model, *optimizer]
    for each in metrics:
        for metric in each.values():
            known += metric.variables
    return known


class PythonError(Exception):
    """The user's Python failed, or gave what the spec does not expect.

    message: with file and line, where they are known; place: the line of the spec.
    """

    def __init__(self, message: str, place: str, file: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.file = file


@contextlib.contextmanager
def python_failures_told(run: Run) -> Iterator[None]:
    """Tells of a failure of the user's Python in words and ends with 1."""
    try:
        yield
    except Exception as error:
        cause = python_error(error)
        if cause is None:
            raise
        run.reporter.event(
            "failed",
            code="python",
            message=cause.message,
            place=cause.place,
            file=cause.file,
        )
        called = f"\n  called by {cause.place}" if cause.place else ""
        sys.exit(f"error: {cause.message}{called}")


def python_error(error: BaseException | None) -> PythonError | None:
    """The failure of the user's Python that led to an error, if one did."""
    while error is not None:
        if isinstance(error, PythonError):
            return error
        error = error.__cause__ or error.__context__
    return None


class UserPython:
    """Imports and calls what a spec names `module:function`.

    folder: the one that the spec's paths are relative to; copies: where a run folder has
    the copies of the files, which are taken if they are there, so that a run can be
    repeated although the files have changed. made: every variable that the user's code
    made, with its file and line.
    """

    def __init__(self, folder: pathlib.Path, copies: pathlib.Path) -> None:
        self.folder = folder
        self.copies = copies
        self.made: list[tuple[tf.Variable, str, int]] = []

    def folder_of(self, module: str) -> pathlib.Path:
        """The folder from which a module is imported."""
        parts = module.split(".")
        for folder in (self.copies, self.folder):
            base = folder.joinpath(*parts)
            if base.with_suffix(".py").is_file() or (base / "__init__.py").is_file():
                return folder.resolve()
        raise FileNotFoundError(f"{self.folder.joinpath(*parts)}.py is not there")

    def module(self, name: str) -> types.ModuleType:
        """A module of the user's. Raises ImportError if its name is another one's."""
        folder = self.folder_of(name)
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
            importlib.invalidate_caches()
        module = importlib.import_module(name)
        file = pathlib.Path(module.__file__ or "").resolve()
        if folder not in file.parents:
            raise ImportError(
                f"{name!r} is taken by {file}: give the file another name"
            )
        return module

    def load(self, modules: Mapping[str, str]) -> None:
        """Imports modules, each with the line of the spec that names it.

        Before the scope: what a file makes on import is then seen to be outside of it,
        whichever function is called first. Raises PythonError.
        """
        for name, place in modules.items():
            with self.told(place):
                self.module(name)

    def function(self, named: str, place: str) -> Callable[..., object]:
        """What the spec names. Raises PythonError if it can't be imported."""
        module, _, attribute = named.partition(":")
        with self.told(place):
            return getattr(self.module(module), attribute)

    @contextlib.contextmanager
    def told(self, place: str) -> Iterator[None]:
        """Notes the variables that are made, and says where the user's code failed."""
        try:
            with tf.variable_creator_scope(self.noted):
                yield
        except PythonError:
            raise
        except Exception as error:
            where = self.line_of(error)
            said = str(error).strip() or "it says no more"
            if hasattr(error, "ag_error_metadata"):  # its text is a whole traceback
                said = said.splitlines()[-1].strip()
            message = f"{type(error).__name__}: {said.splitlines()[0]}"
            if where is not None:
                message = f"{where[0]}, line {where[1]}: {message}"
            raise PythonError(message, place, where and where[0]) from error

    def noted(
        self, create: Callable[..., tf.Variable], **options: object
    ) -> tf.Variable:
        """Makes a variable and notes the user's line that asked for it."""
        variable = create(**options)
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.is_ours(frame.f_code.co_filename):
                file = frame.f_code.co_filename
                self.made.append((variable, file, frame.f_lineno))
                break
            frame = frame.f_back
        return variable

    def is_ours(self, file: str) -> bool:
        """Whether a file is one of the user's that a spec can name."""
        parents = pathlib.Path(file).parents
        folders = (self.folder.resolve(), self.copies.resolve())
        installed = "site-packages" in file or "dist-packages" in file
        is_program = file == globals().get("__file__")
        return (
            not installed
            and not is_program
            and any(each in parents for each in folders)
        )

    def line_of(self, error: BaseException) -> tuple[str, int] | None:
        """The last line of the user's that an error went through."""
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            return error.filename, error.lineno
        lines = [
            (frame.f_code.co_filename, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
        ]
        # What AutoGraph has rewritten stands in other files; it knows the lines.
        metadata = getattr(error, "ag_error_metadata", None)
        for frame in getattr(metadata, "translated_stack", ()):
            lines.append((frame.filename, frame.lineno))
        ours = [each for each in lines if self.is_ours(each[0])]
        return ours[-1] if ours else None

    def step(
        self,
        named: str,
        place: str,
        arguments: Mapping[str, object],
        components: Mapping[str, tf.Tensor],
        gives: Mapping[str, tf.TensorSpec],
    ) -> tuple[tf.Tensor, ...]:
        """The components that a step gives, in the order of `gives`.

        Raises PythonError if they are not as the spec says.
        """
        function = self.function(named, place)
        with self.told(place):
            result = function(**components, **arguments)
        if isinstance(result, Mapping):
            result = tuple(result.get(each) for each in gives)
        values = tuple(result) if isinstance(result, tuple | list) else (result,)
        if len(values) != len(gives):
            said = f"`{named}` returns {len(values)} values, the spec says {len(gives)}"
            raise PythonError(said, place)
        return tuple(
            self.as_said(value, spec, f"`{named}` gives {component}", place)
            for value, (component, spec) in zip(values, gives.items(), strict=True)
        )

    def as_said(
        self, value: object, spec: tf.TensorSpec, what: str, place: str
    ) -> tf.Tensor:
        """The value as a tensor of that type. Raises PythonError if it is none."""
        with self.told(place):
            tensor = tf.convert_to_tensor(value)
        self.check_type(tensor, spec, what, place)
        tensor.set_shape(spec.shape)
        return tensor

    def check_type(
        self, tensor: tf.Tensor, spec: tf.TensorSpec, what: str, place: str
    ) -> None:
        """Raises PythonError if a tensor can't be of the type that the spec says."""
        shape = tf.TensorShape(tensor.shape)
        dtype = tf.as_dtype(tensor.dtype)
        if dtype != spec.dtype or not shape.is_compatible_with(spec.shape):
            is_now, said = (
                in_brackets(dtype, shape),
                in_brackets(spec.dtype, spec.shape),
            )
            message = f"{what} = {is_now}, the spec expects {said}"
            raise PythonError(message, place)

    def layer(
        self,
        named: str,
        place: str,
        arguments: Mapping[str, object],
        name: str,
        tensor: keras.KerasTensor,
        gives: tf.TensorSpec,
    ) -> keras.KerasTensor:
        """What a function makes of a tensor, batch first."""
        function = self.function(named, place)
        inputs = keras.Input(tensor.shape[1:], dtype=tensor.dtype)
        with self.told(place):
            result = function(inputs, **arguments)
        return self.as_model(named, place, name, inputs, result, gives)(tensor)

    def made_layer(
        self,
        named: str,
        place: str,
        arguments: Mapping[str, object],
        name: str,
        tensor: keras.KerasTensor,
        gives: tf.TensorSpec,
    ) -> keras.KerasTensor:
        """What a layer or model that a function makes gives for a tensor."""
        function = self.function(named, place)
        inputs = keras.Input(tensor.shape[1:], dtype=tensor.dtype)
        with self.told(place):
            made = function(**arguments)
            if not callable(made):
                kind = type(made).__name__
                raise PythonError(f"`{named}` returns no layer, but {kind}", place)
            result = made(inputs)
        return self.as_model(named, place, name, inputs, result, gives)(tensor)

    def as_model(
        self,
        named: str,
        place: str,
        name: str,
        inputs: keras.KerasTensor,
        result: object,
        gives: tf.TensorSpec,
    ) -> keras.Model:
        """The layers between, as one of the model's: their names are their own."""
        outputs = self.checked_output(named, place, result, gives)
        with self.told(place):
            return keras.Model(inputs, outputs, name=name)

    def checked_output(
        self, named: str, place: str, result: object, gives: tf.TensorSpec
    ) -> keras.KerasTensor:
        """The tensor. Raises PythonError if it is not as the spec says."""
        if not hasattr(result, "shape") or not hasattr(result, "dtype"):
            kind = type(result).__name__
            raise PythonError(f"`{named}` gives no tensor, but {kind}", place)
        self.check_type(result, gives, f"`{named}` gives a batch", place)
        return result

    def losses(
        self,
        named: str,
        place: str,
        arguments: Mapping[str, object],
        label: tf.Tensor,
        scores: tf.Tensor,
    ) -> tf.Tensor:
        """float32[batch]: the loss of each example."""
        function = self.function(named, place)
        with self.told(place):
            if inspect.isclass(function):
                loss: keras.losses.Loss = function(**arguments)
                losses = loss.call(label, scores)
            else:
                losses = function(label, scores, **arguments)
            losses = tf.cast(tf.convert_to_tensor(losses), tf.float32)
        if losses.shape.rank != 1:
            is_now = in_brackets(losses.dtype, losses.shape)
            said = f"`{named}` gives {is_now}, not one number for each example"
            raise PythonError(f"{said}: leave out the mean over the batch", place)
        return losses

    def metric(
        self, named: str, place: str, arguments: Mapping[str, object], name: str
    ) -> keras.metrics.Metric:
        """A metric of the user's, or the mean of what a function gives."""
        function = self.function(named, place)
        with self.told(place):
            if inspect.isclass(function):
                return function(**arguments)
            return keras.metrics.MeanMetricWrapper(function, name=name, **arguments)

    def check_scope(self, strategy: tf.distribute.Strategy) -> None:
        """Raises PythonError at the first variable made outside `strategy.scope()`."""
        for variable, file, line in self.made:
            if not strategy.extended.variable_created_in_scope(variable):
                said = "makes weights outside of strategy.scope(): on one device only"
                raise PythonError(f"{file}, line {line} {said}", "", file)

    def check_seen(self, known: Sequence[keras.Variable]) -> None:
        """Raises PythonError at the first trainable variable that is not among them.

        known: all variables of the model, the optimizer and the metrics.
        """
        seen = {id(variable.value) for variable in known}
        for variable, file, line in self.made:
            if variable.trainable and id(variable) not in seen:
                said = "makes a tf.Variable that Keras does not see: nothing trains it"
                raise PythonError(f"{file}, line {line} {said}", "", file)


def in_brackets(dtype: tf.DType, shape: tf.TensorShape) -> str:
    """A type as a spec writes it: `float32[?, 64]`."""
    if shape.rank is None:
        return f"{dtype.name}[...]"
    sizes = ", ".join("?" if size is None else str(size) for size in shape)
    return f"{dtype.name}[{sizes}]"
