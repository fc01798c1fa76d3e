"""Problems with the syntax of a spec (TFP0xx), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code


def _code(
    number: int, slug: str, title: str, meaning: str, wrong: str, right: str
) -> Code:
    def shown(text: str) -> str:
        return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))

    explanation = f"{meaning}\n\nWrong:\n\n{shown(wrong)}\n\nRight:\n\n{shown(right)}\n"
    return Code(f"TFP{number:03}", slug, title, explanation)


CODES: tuple[Code, ...] = (
    _code(
        1,
        "unexpected-syntax",
        "Something stands where the language has no place for it",
        "A line of a spec is `word [name] [(arguments)] [from x] [{ body }] [as y]`\n"
        "or `name = value`. This line starts as one of them and then goes on in\n"
        "another way.",
        "loss = python focal(gamma = 2.0)",
        'loss = python "photos.losses:focal"(gamma = 2.0)',
    ),
    _code(
        2,
        "unexpected-character",
        "A character that means nothing here",
        "Outside of text and comments a spec consists of names (letters `a` to `z`,\n"
        "digits, `_`), numbers, text in double quotes and the signs\n"
        "`= , . .. + - * / ? -> ( ) [ ] { }`. Other alphabets are welcome in text.",
        "größe = 224",
        'size = 224\nlabel = "größe"',
    ),
    _code(
        3,
        "colon",
        "A setting written with `:`",
        "Settings and named arguments use `=`. There is no other way to write them.",
        "epochs: 10",
        "epochs = 10",
    ),
    _code(
        4,
        "missing-equal",
        "A setting without its `=`",
        "A setting is `name = value`. A name followed by a value is not a step: steps\n"
        "take their values in parentheses.",
        "epochs 10",
        "epochs = 10",
    ),
    _code(
        5,
        "block-as-value",
        "A block where a value belongs",
        "A brace never follows `=`. Values with arguments are calls; blocks stand\n"
        "alone, headed by their word.",
        'optimizer = {\n  name = "adam"\n}',
        "optimizer = adam(learning_rate = 1e-3)",
    ),
    _code(
        6,
        "pipe-sign",
        "Steps chained with a sign",
        "The line break is the pipe: each step has its own line, and its input is the\n"
        "line above.",
        "decode_jpeg |> resize(32, 32)",
        "decode_jpeg\nresize(32, 32)",
    ),
    _code(
        7,
        "never-closed",
        "A bracket that is never closed",
        "Every `(`, `[` and `{` needs its partner. Inside `( )` and `[ ]` line breaks\n"
        "do not count, so a missing one swallows the lines that follow.",
        "resize(224, 224\nbatch(32)",
        "resize(224, 224)\nbatch(32)",
    ),
    _code(
        8,
        "missing-comma",
        "Two values without a comma",
        "Inside `( )` and `[ ]` values are separated by commas. A line break does not\n"
        "replace one there.",
        "resize(224 224)",
        "resize(224, 224)",
    ),
    _code(
        9,
        "two-on-a-line",
        "Two things on one line",
        "One line holds one setting, step or layer.",
        "epochs = 10 loss = crossentropy",
        "epochs = 10\nloss = crossentropy",
    ),
    _code(
        10,
        "wrong-quotes",
        "Text in other quotes than double ones",
        "Text stands in double quotes, on one line, and only there.",
        "train = csv('adult.csv')",
        'train = csv("adult.csv")',
    ),
    _code(
        11,
        "text-never-ends",
        "Text without its closing quote",
        "Text ends on the line where it begins. A line break in text is `\\n`,\n"
        'a quote is `\\"`.',
        'train = csv("adult.csv)',
        'train = csv("adult.csv")',
    ),
    _code(
        12,
        "unknown-unit",
        "A unit that does not exist, or not here",
        "A quantity carries one of the units that its place takes: `B`, `KB`, `KiB`,\n"
        "`MB`, `MiB`, `GB`, `GiB`, `TB`, `TiB` for sizes; `s`, `min`, `h`, `d` for\n"
        "time; `epochs`, `steps`; `%`. Sizes are written in full, since `70G` could\n"
        "be either of two.",
        "memory = limit(70G)",
        "memory = limit(70GiB)",
    ),
    _code(
        13,
        "hyphen-in-name",
        "A `-` in a name",
        "Names use `_`. A `-` is always a minus.",
        "decode-jpeg(channels = 3)",
        "decode_jpeg(channels = 3)",
    ),
    _code(
        14,
        "import-without-name",
        "An import that does not say its name",
        "What an import defines is reached through the name it is given, so that two\n"
        "files never fight for a word.",
        'import "layers/resnet.tfp"',
        'import "layers/resnet.tfp" as resnet\n\nmodel m from images {\n'
        "  resnet.stage(64, blocks = 3)\n}",
    ),
    _code(
        15,
        "unknown-escape",
        "A backslash that escapes nothing",
        'In text a backslash starts one of `\\\\ \\" \\n \\t \\$`. A backslash that\n'
        "is meant itself, as in a Windows path, is doubled; `/` works on Windows too.",
        'train = image_folder("C:\\data\\train")',
        'train = image_folder("C:/data/train")',
    ),
    _code(
        16,
        "bad-interpolation",
        "A `${ }` that holds no name",
        "In text `${name}` stands for a `let` or a parameter, and `${data.classes}`\n"
        "for a fact. It takes a name and nothing else: calculations go in a `let`.\n"
        "A plain `${` is written `\\${`.",
        'tensorboard("runs/${size * 2}")',
        'let double = size * 2\ntensorboard("runs/${double}")',
    ),
    _code(
        17,
        "argument-order",
        "An argument without a name after one with a name",
        "Arguments by position come first, then those with names, since a position\n"
        "after a name would depend on which names were given.",
        "conv2d(filters = 32, 3)",
        "conv2d(32, 3)\nconv2d(filters = 32, kernel_size = 3)",
    ),
    _code(
        18,
        "stray-bracket",
        "A closing bracket without an opening one",
        "Every `)`, `]` and `}` closes the last bracket that is open, of its own kind.",
        "resize(224, 224))",
        "resize(224, 224)",
    ),
    _code(
        19,
        "too-deep",
        "Nested or chained more than 100 levels deep",
        "Brackets and the operators of one value may nest 100 levels deep together.\n"
        "No spec needs that; machine-written ones can name their parts with `let`.",
        "let total = 1 + 1 + ... (more than 100 times)",
        "let half = 1 + 1 + ...\nlet total = half + half",
    ),
    _code(
        20,
        "reserved-name",
        "A reserved word used as a name",
        "Seven words belong to the language: `import`, `let`, `from`, `as`, `python`,\n"
        "`true`, `false`. (`from = ...` is a setting of `train`, and the only\n"
        "exception.)",
        "let import = 3",
        "let imported = 3",
    ),
    _code(
        21,
        "bad-number",
        "A number written in another way",
        "Numbers are decimal: `224`, `1_000`, `0.5`, `1e-3`. A point has digits on\n"
        "both sides, and `_` may separate digits.",
        "rate = .5\nsize = 0x20",
        "rate = 0.5\nsize = 32",
    ),
    _code(
        22,
        "foreign-syntax",
        "A habit from another language",
        "A spec has no conditions, loops, semicolons, decorators or comments other\n"
        "than `#`. What differs between training and evaluation is `when(train) { }`,\n"
        "what repeats is `repeat(n) { }`, and the rest is Python, called with\n"
        '`python "module:function"`.',
        "for i in range(3) {\n  dense(64)\n}",
        "repeat(3) {\n  dense(64)\n}",
    ),
    _code(
        23,
        "not-utf-8",
        "A file that is not UTF-8 text",
        "Specs are UTF-8. Some Windows tools save UTF-16, or the code page of the\n"
        "country; editors offer `Save with encoding`.",
        "(a spec saved as UTF-16)",
        "iconv -f UTF-16 -t UTF-8 spec.tfp > utf8.tfp",
    ),
    _code(
        24,
        "hidden-character",
        "A character that cannot be seen",
        "Control characters, no-break spaces and marks that change the direction of\n"
        "writing look like something else than they are, so they are refused. They\n"
        "come with text copied from web pages and chats.",
        "epochs\\u00a0= 10     (a no-break space)",
        "epochs = 10",
    ),
    _code(
        25,
        "missing-value",
        "A place where a value is missing",
        "After `=`, an operator or `..` a value follows on the same line.",
        "epochs =",
        "epochs = 10",
    ),
    _code(
        26,
        "missing-name",
        "A place where a name is missing",
        "`let`, `as`, `from` and `.` are followed by a name: letters, digits and `_`,\n"
        "not starting with a digit.",
        "pipeline images from {\n}",
        "pipeline images from photos {\n}",
    ),
    _code(
        27,
        "brace-on-next-line",
        "A `{` that does not end the line of its block",
        "The line break ends a step, so `{` stands on the line of its word.",
        "when(train)\n{\n  shuffle\n}",
        "when(train) {\n  shuffle\n}",
    ),
    _code(
        28,
        "stray-comma",
        "A comma where the language has none",
        "Commas separate values inside `( )` and `[ ]`. Between the lines of a block\n"
        "the line break is enough.",
        "epochs = 10,\nloss = crossentropy",
        "epochs = 10\nloss = crossentropy",
    ),
)
