"""Problems with running a program (TFP9xx), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP901",
        "unreadable-input",
        "Input that could not be read while running",
        """\
A file was missing, damaged or not what its name says when the program came to it.
The message names the file and the line of the spec that reads it.

Wrong:

    flowers/rose/0001.jpg with nothing in it

Right:

    flowers/rose/0001.jpg with a picture in it, or no such file
""",
    ),
    Code(
        "TFP902",
        "killed",
        "A program that was ended from outside",
        """\
The program was ended by a signal. SIGKILL without a word is most often the system
that has run out of memory.

Wrong:

    batch(65_536)

Right:

    batch(256)
""",
    ),
    Code(
        "TFP903",
        "program-failed",
        "A program that failed",
        """\
The program ended with an error that is not one of the input. Its whole text is in
`log.txt` of the run folder.

Wrong:

    adam(learning_rate = cosine(peak = 1e-3, warmup = 100epochs))

Right:

    adam(learning_rate = cosine(peak = 1e-3, warmup = 1epoch))
""",
    ),
    Code(
        "TFP904",
        "no-spec",
        "A spec that is not there",
        """\
There is no such file, or it is a folder, or it may not be read.

Wrong:

    tfpc run specs/digit.tfp

Right:

    tfpc run specs/digits.tfp
""",
    ),
    Code(
        "TFP905",
        "run-folder",
        "A run folder that cannot be used",
        """\
A run leaves all that it makes in a folder of its own, so that it can be repeated,
resumed and explained. A folder that already holds a run, or files that the run
would write over, is not taken.

Wrong:

    tfpc run specs/digits.tfp --run-dir runs/first
    tfpc run specs/digits.tfp --run-dir runs/first

Right:

    tfpc run specs/digits.tfp --run-dir runs/first
    tfpc run specs/digits.tfp --run-dir runs/second
""",
    ),
    Code(
        "TFP906",
        "not-resumable",
        "A run that cannot be resumed",
        """\
To resume is to go on with the very next batch, as if nothing had happened. So a run
needs a checkpoint, and goes on with the program that it began with: the spec, the
flags and the data have to be the same. Comments and blanks may differ.

Wrong:

    tfpc run specs/digits.tfp
    tfpc run specs/digits.tfp --set train.epochs=20 --resume

Right:

    tfpc run specs/digits.tfp --set train.epochs=20
    tfpc run specs/digits.tfp --set train.epochs=20 --resume
""",
    ),
    Code(
        "TFP907",
        "devices",
        "Devices that are not there",
        """\
A spec may ask for a number of GPUs. Where a program finds fewer, or where a batch
can't be divided among them, it stops before the first step: TensorFlow itself would
put the missing replicas on the CPU without a word.

On a machine without GPUs:

Wrong:

    strategy = mirrored(gpus = 4)

Right:

    strategy = mirrored(cpus = 4)
""",
    ),
    Code(
        "TFP908",
        "python-failed",
        "A Python function of yours that failed, or gave something else",
        """\
The program calls the functions that a spec names. What they raise is told with
their file and line; the log has the rest. What they give is compared with the spec
before the first step: a step or layer without `->` has to keep the type.

Wrong:

    python "augment:as_floats"

Right:

    python "augment:as_floats" -> (image = float32[32, 32, 3])
""",
    ),
)
