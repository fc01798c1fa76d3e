"""`tfpc words`: the words of the language, and all about one of them."""

from __future__ import annotations

import json

import click

from tfpc.cli.paper import paper


@click.command()
@click.argument("word", required=False)
@click.option("--json", "as_values", is_flag=True, help="For a machine to read.")
def words(word: str | None, as_values: bool) -> None:
    """Lists all words by family, or says all about WORD.

    WORD may also be a family, such as `layer`. --json prints a list of objects with
    family, word, summary, arguments (a list of objects with name, takes, default,
    required, positional, description), example, sizes, body, description. A default
    is text as a spec would have it, null where there is none.
    """
    from tfpc.reference.families import family_named
    from tfpc.reference.word import all_words, entries_of
    from tfpc.reference.words_page import overview, page

    found = all_words() if word is None else entries_of(word)
    show = page if found and word is not None else overview
    if word is not None and not found:
        family = family_named(word)
        found = [entry for entry in all_words() if entry.family == family]
        if not found:
            raise click.UsageError(no_word(word))
    if as_values:
        click.echo(json.dumps([entry.as_values() for entry in found], indent=2))
        return
    width, color = paper()
    click.echo(show(found, width=width, color=color), color=color)


def no_word(word: str) -> str:
    """What to say of a word that there is not."""
    from tfpc.diagnostics.suggestion import did_you_mean
    from tfpc.spec.later import comes_later
    from tfpc.vocabulary.registry import FAMILIES
    from tfpc.vocabulary.registry import words as words_of

    if comes_later(word, tuple(FAMILIES)):
        return f"`{word}` comes with a later version"
    known = [name for family in FAMILIES for name in words_of(family)]
    meant = did_you_mean(word, known) or "`tfpc words` lists all"
    return f"there is no word `{word}`; {meant}"
