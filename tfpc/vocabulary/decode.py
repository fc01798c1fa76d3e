"""Decoding the bytes of pictures."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.component import NamedStep


class DecodeJpeg(NamedStep):
    """Decodes the bytes of a JPEG file to `uint8[height, width, channels]`.

    Height and width are those of the file, so they are not known before it is read.
    """

    word: ClassVar[str] = "decode_jpeg"
    example: ClassVar[str] = "decode_jpeg(channels = 3)"
    acts_on: ClassVar[tuple[Content, ...]] = (Content.ENCODED_IMAGE,)
    channels: Literal[1, 3] = Field(3, description="1 for gray, 3 for color")

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """uint8[?, ?, channels] in 0..255."""
        return Tensor("uint8", (None, None, self.channels), Content.IMAGE, 0, 255)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """https://www.tensorflow.org/api_docs/python/tf/io/decode_jpeg"""
        return call("tf.io.decode_jpeg", component, channels=self.channels)


class DecodePng(NamedStep):
    """Decodes the bytes of a PNG file to `uint8[height, width, channels]`.

    Height and width are those of the file, so they are not known before it is read.
    """

    word: ClassVar[str] = "decode_png"
    example: ClassVar[str] = "decode_png(channels = 1)"
    acts_on: ClassVar[tuple[Content, ...]] = (Content.ENCODED_IMAGE,)
    channels: Literal[1, 3, 4] = Field(
        3, description="1 for gray, 3 for color, 4 for color and alpha"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """uint8[?, ?, channels] in 0..255."""
        return Tensor("uint8", (None, None, self.channels), Content.IMAGE, 0, 255)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """https://www.tensorflow.org/api_docs/python/tf/io/decode_png"""
        return call("tf.io.decode_png", component, channels=self.channels)
