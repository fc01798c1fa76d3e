"""`merge` holds paths, two or more, and a `path` stands nowhere else."""

from __future__ import annotations

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.resolve.tree import Node


def misplaced_path(node: Node, outer: Node | None) -> Diagnostic | None:
    """What is wrong with where a layer stands, or with what a `merge` holds.

    outer: the layer in whose braces it stands.
    """
    in_merge = outer is not None and outer.word == "merge"
    if outer is not None and in_merge and node.word != "path":
        return error(
            "TFP104",
            f"`{node.word}` stands in a `merge`, outside of its paths",
            node.head,
            labels=(Label(outer.head, "the merge"),),
            why="a `merge` joins what its paths make of one input.",
            fix=f"write `path {{ {node.head.text} }}`",
        )
    if node.word == "path" and not in_merge:
        return error(
            "TFP104",
            "a `path` stands in a `merge`",
            node.head,
            fix="write `merge(concat) { path { } path { } }` around it",
        )
    paths = [each for each in node.body or () if isinstance(each, Node)]
    if node.word == "merge" and len(paths) == 1:
        return error(
            "TFP104",
            "this `merge` has one path, so there is nothing to join",
            node.head,
            fix="add a path, `path { }` to join with the input itself, or put its "
            "layers here without `merge`",
        )
    return None
