"""Pictures of one batch side by side, a row for each step that changed them."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

CELL_SIDE = 160
CELL_GAP = 4
# Neither black nor white nor gray, so that every picture stands out from it.
CELL_GROUND = (52, 58, 92)


def contact_sheet(
    rows: list[list[np.ndarray]], scales: list[tuple[float, float]]
) -> np.ndarray:
    """All pictures in equal cells: uint8[height, width, 3].

    rows: pictures [h, w, c] of any size and dtype, each in the middle of its cell, not
    distorted; scales: for each row the values that are shown as black and as white.
    """
    step = CELL_SIDE + CELL_GAP
    columns = max(map(len, rows))
    sheet = np.empty((len(rows) * step + CELL_GAP, columns * step + CELL_GAP, 3))
    sheet[:] = CELL_GROUND
    for number, (row, scale) in enumerate(zip(rows, scales, strict=True)):
        for column, picture in enumerate(row):
            if 0 in picture.shape:
                continue
            shown = fitted_to_cell(in_colors(picture, scale))
            height, width, _ = shown.shape
            top = CELL_GAP + number * step + (CELL_SIDE - height) // 2
            left = CELL_GAP + column * step + (CELL_SIDE - width) // 2
            sheet[top : top + height, left : left + width] = shown
    return np.rint(sheet).astype(np.uint8)


def scale_of_pictures(dtype: str, low: float, high: float) -> tuple[float, float]:
    """The values that are shown as black and as white.

    Bytes, and floats that are 0..1 or 0..255, are shown as they are; all else is
    stretched from its least to its greatest value.
    """
    if low >= 0 and high <= 255:
        return (0.0, 1.0) if "float" in dtype and high <= 1 else (0.0, 255.0)
    return low, high


def in_colors(picture: np.ndarray, scale: tuple[float, float]) -> np.ndarray:
    """The picture as float64[h, w, 3] in 0..255; transparent is as the cell's ground."""
    black, white = scale
    values = np.nan_to_num(picture.astype(np.float64), nan=black)
    values = np.clip((values - black) / max(white - black, 1e-30), 0, 1) * 255
    channels = picture.shape[-1]
    if channels == 4:
        opaque = values[..., 3:] / 255
        return values[..., :3] * opaque + np.array(CELL_GROUND) * (1 - opaque)
    return values if channels == 3 else np.repeat(values[..., :1], 3, -1)


def fitted_to_cell(picture: np.ndarray) -> np.ndarray:
    """The picture as large as a cell allows: small ones by whole pixels."""
    height, width, _ = picture.shape
    longest = max(height, width)
    if longest <= CELL_SIDE:
        factor = CELL_SIDE // longest
        return picture.repeat(factor, 0).repeat(factor, 1)
    size = [max(1, side * CELL_SIDE // longest) for side in (height, width)]
    shrunk = tf.image.resize(picture, size, "bilinear", antialias=True)
    return np.clip(shrunk.numpy(), 0, 255)
