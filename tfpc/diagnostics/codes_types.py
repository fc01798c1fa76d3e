"""Problems with types (TFP2xx), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP201",
        "step-mismatch",
        "A step that can't act on what it is given",
        """\
Types flow through a pipeline from step to step: bytes of a file, pictures of some
size, a label. A step that meets something else would fail when the program runs, so
it is reported before.

Wrong:

    pipeline images from cifar {
      resize(32, 32)
    }

Right:

    pipeline images from cifar {
      decode_jpeg(channels = 3)
      resize(32, 32)
    }
""",
    ),
    Code(
        "TFP202",
        "unreadable-data",
        "Data that is not there, or not what the source reads",
        """\
Paths in a spec are relative to the folder of the spec. `tfpc lint` looks at names,
headers and first records; `--no-data` leaves that out.

Wrong:

    train = image_folder("cifar")

Right:

    train = image_folder("data/cifar10/train")
""",
    ),
    Code(
        "TFP203",
        "unlike-splits",
        "Splits whose examples or classes differ",
        """\
One pipeline and one model serve all splits, so their examples have the same fields,
and classes that are evaluated must have been trained.

Wrong:

    train = image_folder("data/cats_and_dogs")
    validation = image_folder("data/flowers")

Right:

    train = image_folder("data/flowers/train")
    validation = image_folder("data/flowers/test")
""",
    ),
    Code(
        "TFP204",
        "empty-split",
        "A split that leaves nothing to train on",
        """\
`split` takes its part out of `train`.

Wrong:

    validation = split(100%)

Right:

    validation = split(20%)
""",
    ),
    Code(
        "TFP205",
        "assertion",
        "A step that does not give what stands behind its `->`",
        """\
`-> (image = uint8[28, 28, 1])` behind a step says what it gives: the components
that it names must be there, with that type and those sizes. `?` stands for any
size. The types are those of one example, also below `batch`.

Wrong:

    resize(28, 28) -> (image = float32[28, 28, 1])

Right:

    resize(28, 28) -> (image = uint8[28, 28, 1])
""",
    ),
    Code(
        "TFP211",
        "model-input",
        "A pipeline whose result no model can take",
        """\
A model takes one component besides the label, and takes numbers.

Wrong:

    pipeline images from cifar {
      batch(32)
    }

Right:

    pipeline images from cifar {
      decode_jpeg(channels = 3)
      resize(32, 32)
      batch(32)
    }
""",
    ),
    Code(
        "TFP212",
        "layer-mismatch",
        "A layer that can't act on what it is given",
        """\
Shapes flow through a model from layer to layer; a layer that needs another shape is
reported with what it is given.

Wrong:

    flatten
    conv2d(32, 3)

Right:

    conv2d(32, 3)
    flatten
""",
    ),
    Code(
        "TFP213",
        "no-label",
        "A training without a label",
        """\
The label is the field named `label`, or the one that the data block names.

Wrong:

    schema { image = string
             digit = int64 }

Right:

    label = digit
    schema { image = string
             digit = int64 }
""",
    ),
    Code(
        "TFP214",
        "loss-mismatch",
        "A loss that does not fit label and scores",
        """\
A classification needs one row of scores for each example, and one class number (or
one share for each class) as its label.

Wrong:

    conv2d(10, 3)

Right:

    conv2d(10, 3)
    global_average_pooling2d
    dense(10)
""",
    ),
    Code(
        "TFP215",
        "residual-mismatch",
        "The two paths of a residual end in different shapes",
        """\
A residual adds what goes in to what its layers make of it, which needs equal
shapes.

Wrong:

    residual { conv2d(64, 3) }

Right:

    residual { conv2d(32, 3, padding = same) }
""",
    ),
    Code(
        "TFP216",
        "warm-up-too-long",
        "A warm-up that is as long as the training",
        """\
A schedule rises during its warm-up and falls after it; both must fit into the
training.

Wrong:

    epochs = 1
    optimizer = adam(learning_rate = cosine(peak = 1e-3, warmup = 1epoch))

Right:

    epochs = 10
    optimizer = adam(learning_rate = cosine(peak = 1e-3, warmup = 1epoch))
""",
    ),
    Code(
        "TFP217",
        "output-dimension-vs-target",
        "A model with more or fewer outputs than the label has numbers",
        """\
A loss compares each output with one number of the label. TensorFlow stretches
some shapes that differ, and then compares each number with each; here it is an
error. A label of one number, `[]`, fits one output.

Wrong:

    label = float32[2]
    dense(3)
    loss = mse

Right:

    label = float32[2]
    dense(2)
    loss = mse
""",
    ),
)
