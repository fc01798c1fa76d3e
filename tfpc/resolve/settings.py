"""The settings that a whole spec and its blocks have: closed lists."""

from __future__ import annotations

SETTINGS = ("strategy", "precision", "memory", "seed", "determinism")
SPLITS = ("train", "validation", "test")
BLOCK_SETTINGS = {
    "data": (*SPLITS, "label", "limit"),
    "train": ("epochs", "optimizer", "loss", "metrics", "class_weights"),
}
