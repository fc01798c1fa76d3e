"""Problems with running a program (TFP9xx), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP901",
        "unreadable-input",
        "Input that could not be read while running",
        """\
A file was missing, damaged or not what its name says when the program came to it. The
message names the file and the line of the spec that reads it.

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
)
