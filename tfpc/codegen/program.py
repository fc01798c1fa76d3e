"""A plan as one Python file: the only generator."""

from __future__ import annotations

from tfpc.codegen.assembly import Section, assemble
from tfpc.codegen.datasets import DatasetsText
from tfpc.codegen.features import FeaturesText
from tfpc.codegen.maps import MapsText
from tfpc.codegen.model import write_model
from tfpc.codegen.parts import part_names
from tfpc.codegen.pipeline import PipelineText, batch_size
from tfpc.codegen.sources import write_sources
from tfpc.codegen.step import StepText
from tfpc.codegen.training import TrainingText
from tfpc.codegen.writer import Writer
from tfpc.plan.ir import Plan
from tfpc.types.fragment import Fragment, Literal, Name, Operation, call, name

ENVIRONMENT = (
    'os.environ["KERAS_BACKEND"] = "tensorflow"',
    "# TensorFlow's own remarks on start; 0 shows all of them.",
    'os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")',
)


def generate(plan: Plan, spec_folder: str) -> str:
    """The program of an optimized plan.

    spec_folder: where the spec is, seen from the program's own folder, with `/`.
    """
    taken = frozenset(part_names())
    settings = settings_section(plan, spec_folder)
    sections = [data_section(plan, taken), *training_sections(plan, taken)]
    return assemble(docstring(), environment(plan), settings, sections)


def environment(plan: Plan) -> tuple[str, ...]:
    """The statements that come before TensorFlow is imported."""
    memory = plan.settings.memory.environment
    return ENVIRONMENT + tuple(
        f'os.environ["{name}"] = "{value}"' for name, value in memory
    )


def docstring() -> str:
    """What the program is, in its first lines."""
    return (
        "Trains a model as its spec says, without needing tfpc.\n\n"
        "Written by tfpc; change the spec, not this file. It decides on the machine\n"
        "only what depends on the machine, and says so when it starts.\n"
    )


def settings_section(plan: Plan, spec_folder: str) -> Section:
    """What the spec fixes."""
    assert plan.train is not None
    writer = Writer()
    writer.assign("NAME", Literal(plan.name))
    writer.assign("SPEC_DIGEST", Literal(plan.digest))
    write_spec_folder(writer, spec_folder)
    writer.assign("SEED", Literal(plan.settings.seed))
    writer.assign("EPOCHS", Literal(plan.train.epochs))
    writer.assign("BATCH", Literal(batch_size(plan.chains["train"])))
    if len(plan.data.splits) > 1:
        writer.assign("EVALUATION_BATCH", Literal(batch_size(plan.chains["eval"])))
    return Section("Settings", writer.text)


def write_spec_folder(writer: Writer, spec_folder: str) -> None:
    """`SPEC_FOLDER`, from where the program lies."""
    writer.comment("Where the spec was, seen from this file: its paths start there.")
    folder: Fragment = Name("pathlib.Path(__file__).resolve().parent")
    if spec_folder not in ("", "."):
        folder = Operation("/", folder, Literal(spec_folder))
    writer.assign("SPEC_FOLDER", folder)


def data_section(plan: Plan, taken: frozenset[str]) -> Section:
    """Sources and pipelines."""
    writer = Writer()
    write_python(writer, plan)
    write_sources(writer, plan.data)
    MapsText(writer, plan, taken).write()
    if plan.model is not None and plan.model.features:
        FeaturesText(writer, plan, taken).write()
    DatasetsText(writer, plan, taken).write()
    return Section("Data", writer.text)


def write_python(writer: Writer, plan: Plan) -> None:
    """`PYTHON`: what imports the user's functions, if the spec names any."""
    if not plan.python:
        return
    writer.comment(
        "Functions of the spec's Python files, imported when they are first needed; "
        "a run folder has copies, which are taken first."
    )
    copies = Name('pathlib.Path(__file__).resolve().parent / "spec"')
    writer.assign("PYTHON", call("UserPython", name("SPEC_FOLDER"), copies))
    writer.blank()
    writer.blank()


def training_sections(plan: Plan, taken: frozenset[str]) -> list[Section]:
    """The model, and what trains it."""
    assert plan.model is not None
    pipeline = PipelineText(Writer(), plan, taken)
    model = Writer()
    write_model(model, plan.model)
    step = Writer()
    text = StepText(step, plan, pipeline)
    text.write_on_device()
    text.write_loss()
    text.write_weights()
    text.write_metrics()
    text.write_optimizer()
    run = Writer()
    whole = TrainingText(run, plan, pipeline)
    whole.write_train_model()
    write_main(run, plan, resumable=whole.monitors.checkpoint is not None)
    return [
        Section("Model", model.text),
        Section("Step", step.text),
        Section("Run", run.text),
    ]


def write_main(writer: Writer, plan: Plan, *, resumable: bool) -> None:
    """`main`: flags, folder, run, exit code."""
    with writer.function("main", [], "None", "Reads the flags and runs."):
        writer.line("flags = program_flags(__doc__, SPEC_FOLDER)")
        if resumable:
            writer.line("add_resume_flag(flags)")
        writer.line("options = flags.parse_args()")
        if resumable:
            writer.line("folder = options.run_dir")
            writer.line("if folder is None:")
            writer.line("    resumed = options.resume and latest_run_folder(NAME)")
            writer.line("    folder = resumed or new_run_folder(NAME)")
        else:
            writer.line("folder = options.run_dir or new_run_folder(NAME)")
        writer.line("run = open_run(options.root, folder, SPEC_DIGEST)")
        if plan.python:
            writer.line("PYTHON.folder = run.root")
        told = "failures_told(run)"
        if plan.python:
            told += ", python_failures_told(run)"
        with writer.with_(Name(told)):
            arguments = "run, options.resume" if resumable else "run"
            writer.line(f"train_model({arguments})")
        writer.line("end(run)")
    writer.blank()
    writer.blank()
    writer.line('if __name__ == "__main__":')
    writer.line("    main()")
