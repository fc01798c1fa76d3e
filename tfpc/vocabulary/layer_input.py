"""What layers ask of their input, and what is said where it is not so."""

from __future__ import annotations

from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.word import Mismatch


def refuse_text(word: str, tensor: Tensor) -> Mismatch | None:
    """Why a layer can't compute with a tensor: it holds no numbers."""
    if tensor.dtype != "string":
        return None
    return Mismatch(
        f"`{word}` computes with numbers",
        f"is given {tensor}",
        "text, and the bytes of a picture, mean nothing to a layer.",
        "turn them into numbers in the pipeline: `decode_jpeg(channels = 3)`",
    )


def refuse_unless_places(word: str, tensor: Tensor, axes: int) -> Mismatch | None:
    """Why a window has nothing to move on: two axes of a picture, one of a sequence."""
    if axes == 2:
        return refuse_unless_picture(word, tensor)
    return refuse_unless_sequence(word, tensor)


def refuse_unless_picture(word: str, tensor: Tensor) -> Mismatch | None:
    """Why a layer on pictures can't act on a tensor, [batch, h, w, channels]."""
    rank = None if tensor.shape is None else len(tensor.shape)
    if rank == 4:
        return refuse_text(word, tensor)
    fix = f"give it pictures, or remove `{word}`"
    if rank == 2:
        fix = f"move `{word}` above the layer that takes height and width away"
    elif rank == 3:
        fix = f"use `{word.replace('2d', '1d')}`, which acts on sequences"
    return Mismatch(
        f"`{word}` needs pictures, [batch, height, width, channels]",
        f"is given {tensor}",
        f"`{word}` looks at neighbours in height and width.",
        fix,
    )


def refuse_unless_sequence(word: str, tensor: Tensor) -> Mismatch | None:
    """Why a layer on sequences can't act on a tensor, [batch, steps, channels]."""
    rank = None if tensor.shape is None else len(tensor.shape)
    if rank == 3:
        return refuse_text(word, tensor)
    fix = f"give it sequences, or remove `{word}`"
    if rank == 2:
        fix = "put `embedding` above it, if the values number words or other things"
    elif rank == 4:
        fix = f"use `{word.replace('1d', '2d')}`, which acts on pictures"
    return Mismatch(
        f"`{word}` needs sequences, [batch, steps, channels]",
        f"is given {tensor}",
        f"`{word}` looks at neighbouring steps.",
        fix,
    )


def refuse_unless_features(word: str, tensor: Tensor) -> Mismatch | None:
    """Why a layer can't act along the last axis, which must exist and be known."""
    if tensor.shape is None or len(tensor.shape) < 2:
        return Mismatch(
            f"`{word}` needs a row of values for each example",
            f"is given {tensor}",
            f"`{word}` acts along the last axis, and the batch is not one to act on.",
            "put `flatten` above it" if tensor.shape else f"remove `{word}`",
        )
    if tensor.shape[-1] is None and tensor.content is not Content.FEATURES:
        pictures = len(tensor.shape) == 4
        return Mismatch(
            f"`{word}` needs to know how many "
            + ("channels there are" if pictures else "inputs it has"),
            f"is given {tensor}",
            "its weights belong to one input each, so their number must be fixed.",
            "decode pictures to a fixed number of channels: `decode_jpeg(channels = 3)`"
            if pictures
            else "give the pictures one size: `resize(224, 224)`",
        )
    return refuse_text(word, tensor)
