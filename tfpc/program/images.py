"""Steps on images, each for one image [h, w, c] and for a batch [b, h, w, c] alike.

Integer in, integer out: what interpolates rounds and clips, so bytes stay small.
"""

from __future__ import annotations

import tensorflow as tf

from tfpc.program.randomness import below, draw

# Chroma is shared between neighbours in a JPEG, so a decoder that sees only a window
# differs at its border; two pixels more on every side, cut off after, are exact.
MARGIN = 2


def round_like(image: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """A float image in `dtype`: integers are rounded to even and clipped."""
    if dtype.is_integer:
        return tf.saturate_cast(tf.round(image), dtype)
    return tf.cast(image, dtype)


def resize(
    image: tf.Tensor, height: int, width: int, method: str, *, antialias: bool
) -> tf.Tensor:
    """The image at another size and in its own dtype."""

    def resized() -> tf.Tensor:
        other = tf.image.resize(image, [height, width], method, antialias=antialias)
        return round_like(other, image.dtype)

    # These two change nothing of an image that has its size already (bicubic and the
    # like may blur it), so that many a folder of equal pictures costs nothing here.
    if method not in {"nearest", "bilinear"}:
        return resized()
    fits = tf.reduce_all(tf.shape(image)[-3:-1] == [height, width])
    return with_size(tf.cond(fits, lambda: image, resized), height, width)


def same_size(image: tf.Tensor, other: tf.Tensor, names: tuple[str, str]) -> tf.Tensor:
    """The image, which must be as high and wide as another one. names: of the two."""
    height, width, _ = tf.unstack(tf.shape(image))
    rows, columns, _ = tf.unstack(tf.shape(other))
    said = [f"`{names[0]}` and `{names[1]}` have different sizes:", height, "x", width]
    alike = (height == rows) & (width == columns)
    check = tf.debugging.Assert(alike, [*said, "and", rows, "x", columns])
    with tf.control_dependencies([check]):
        return tf.identity(image)


def center_crop(image: tf.Tensor, height: int, width: int) -> tf.Tensor:
    """The middle [height, width] of the image; half a pixel goes to the top left."""
    size = tf.shape(image)
    top = (size[-3] - height) // 2
    left = (size[-2] - width) // 2
    cut = image[..., top : top + height, left : left + width, :]
    return with_size(cut, height, width)


def with_size(image: tf.Tensor, height: int, width: int) -> tf.Tensor:
    """The image with its height and width known to the graph."""
    shape = image.shape.as_list()
    shape[-3:-1] = [height, width]
    return tf.ensure_shape(image, shape)


def pad(image: tf.Tensor, padding: int) -> tf.Tensor:
    """The image with `padding` zeros on its four sides."""
    sides = [[padding, padding], [padding, padding], [0, 0]]
    if image.shape.rank == 4:
        sides.insert(0, [0, 0])
    return tf.pad(image, sides)


def random_crop(
    image: tf.Tensor,
    height: int,
    width: int,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """A window [height, width] of each image, drawn for each example and epoch.

    key: (epoch, index), index scalar for one image and int64[b] for a batch.
    """
    size = tf.shape(image)
    top = below(draw(seed, stream, *key), size[-3] - height + 1)
    left = below(draw(seed, stream + 1, *key), size[-2] - width + 1)
    if image.shape.rank == 4:
        return windows(image, top, left, height, width)
    return with_size(image[top : top + height, left : left + width], height, width)


def windows(
    images: tf.Tensor, top: tf.Tensor, left: tf.Tensor, height: int, width: int
) -> tf.Tensor:
    """A window of each image of a batch, each at its own place: one gather of pixels."""
    size = tf.shape(images, tf.int64)
    top, left = tf.cast(top, tf.int64), tf.cast(left, tf.int64)
    rows = tf.range(size[0])[:, tf.newaxis] * size[1] + top[:, tf.newaxis]
    rows = rows + tf.range(height, dtype=tf.int64)
    first = rows * size[2] + left[:, tf.newaxis]
    places = first[:, :, tf.newaxis] + tf.range(width, dtype=tf.int64)
    cut = tf.gather(tf.reshape(images, tf.stack([-1, size[3]])), places)
    batch, *_, channels = images.shape
    return tf.ensure_shape(cut, [batch, height, width, channels])


def random_flip(
    image: tf.Tensor,
    axis: int,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """Each image mirrored along `axis` (-2: left and right, -3: up and down), or not.

    key: (epoch, index) as in `random_crop`; half of the examples are mirrored.
    """
    flip = below(draw(seed, stream, *key), 2)
    if image.shape.rank == 3:
        return tf.cond(flip == 1, lambda: tf.reverse(image, [axis]), lambda: image)
    # Whole images are moved, which a `tf.where` for each pixel does at a third the speed.
    left, turned = tf.dynamic_partition(tf.range(tf.size(flip)), flip, 2)
    mirrored = tf.reverse(tf.gather(image, turned), [axis])
    flipped = tf.dynamic_stitch([left, turned], [tf.gather(image, left), mirrored])
    return tf.ensure_shape(flipped, image.shape)


def normalize(image: tf.Tensor, mean: list[float], std: list[float]) -> tf.Tensor:
    """(image - mean) / std for each channel, in float32."""
    return (tf.cast(image, tf.float32) - tf.constant(mean)) / tf.constant(std)


def decode_window(
    contents: tf.Tensor,
    top: tf.Tensor,
    left: tf.Tensor,
    height: int,
    width: int,
    channels: int,
) -> tf.Tensor:
    """Decodes only a window of a JPEG: what decode, then crop gives, bit for bit."""
    size = tf.io.extract_jpeg_shape(contents)[:2]
    check = tf.debugging.assert_greater_equal(
        size,
        [height, width],
        "the picture is smaller than the crop",
    )
    with tf.control_dependencies([check]):
        first = tf.maximum([top - MARGIN, left - MARGIN], 0)
    last = tf.minimum([top + height + MARGIN, left + width + MARGIN], size)
    window = tf.concat([first, last - first], 0)
    image = tf.image.decode_and_crop_jpeg(contents, window, channels=channels)
    inside = tf.stack([top, left]) - first
    image = image[inside[0] : inside[0] + height, inside[1] : inside[1] + width]
    return tf.ensure_shape(image, [height, width, channels])


def decode_and_random_crop(
    contents: tf.Tensor,
    height: int,
    width: int,
    channels: int,
    key: tuple[tf.Tensor, tf.Tensor],
    seed: int,
    stream: int,
) -> tf.Tensor:
    """`decode_jpeg`, then `random_crop`, in one."""
    size = tf.io.extract_jpeg_shape(contents)
    top = below(draw(seed, stream, *key), size[0] - height + 1)
    left = below(draw(seed, stream + 1, *key), size[1] - width + 1)
    return decode_window(contents, top, left, height, width, channels)


def decode_and_center_crop(
    contents: tf.Tensor, height: int, width: int, channels: int
) -> tf.Tensor:
    """`decode_jpeg`, then `center_crop`, in one."""
    size = tf.io.extract_jpeg_shape(contents)
    top = (size[0] - height) // 2
    left = (size[1] - width) // 2
    return decode_window(contents, top, left, height, width, channels)
