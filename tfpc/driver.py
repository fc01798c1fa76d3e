"""The stages in order, from the text of a spec to a program, on one screen."""

from __future__ import annotations

import hashlib
import pathlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from tfpc.diagnostics.fixes import settled
from tfpc.diagnostics.reached import with_uses
from tfpc.diagnostics.span import Source, Span
from tfpc.diagnostics.suppression import Rules, suppressed
from tfpc.plan.facts import DataFacts
from tfpc.plan.ir import Plan
from tfpc.plan.lower import lower
from tfpc.plan.lower_python import PythonReader
from tfpc.resolve.resolve import resolve
from tfpc.rules.levels import asked, severities, unknown_rules
from tfpc.rules.registry import RULES, check_all, slug_of
from tfpc.spec.decode import decode
from tfpc.spec.model import Spec
from tfpc.spec.other_profiles import in_other_profiles
from tfpc.syntax.parser import parse

# What a spec that is to be run has besides its data.
BLOCKS = ("pipeline", "model", "train")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line adds to a spec.

    settings: the `path=value` of each `--set`, in order; profiles: the name of each
    `--profile`, in order; look_at_data: whether the data is looked at (names, headers,
    first records); severities: by rule's slug; rules: the slugs of those that speak,
    None for all.
    """

    settings: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    look_at_data: bool = True
    severities: Mapping[str, Severity] = field(default_factory=dict)
    rules: Collection[str] | None = None

    @property
    def plain(self) -> bool:
        """Whether the spec is checked as it stands, with its data."""
        return self.look_at_data and not self.settings and not self.profiles

    @property
    def flags(self) -> list[str]:
        """What was typed for profiles and settings."""
        words = [word for name in self.profiles for word in ("--profile", name)]
        return words + [word for text in self.settings for word in ("--set", text)]


class Stage(IntEnum):
    """How far a check came."""

    SYNTAX = 0
    NAMES = 1
    WORDS = 2
    DATA = 3
    TYPES = 4
    RULES = 5


@dataclass(slots=True)
class Compiled:
    """What the stages have made so far; None where one could not go on.

    sources: the text of each file of the spec, itself first, then its imports; stage:
    the last one that had its turn; rules: the slugs of those that were asked.
    """

    source: Source
    sources: tuple[Source, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    spec: Spec | None = None
    plan: Plan | None = None
    program: str | None = None
    stage: Stage = Stage.SYNTAX
    rules: Collection[str] = ()

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return has_errors(self.diagnostics)


def check(source: Source, options: Options) -> Compiled:
    """Parses, resolves, decodes, lowers and lints; stops after a stage with errors."""
    done = Compiled(source, (source,))
    stages(done, options)
    ran = [
        each.slug for each in RULES if each.slug in done.rules and not each.of_machine
    ]
    rules = Rules([each.slug for each in RULES], slug_of, ran if options.plain else ())
    found = suppressed(done.diagnostics, done.sources, rules)
    done.diagnostics = [settled(with_uses(each), source) for each in found]
    return done


def stages(done: Compiled, options: Options) -> None:
    """The stages of a check, one after the other."""
    source = done.source
    document, done.diagnostics = parse(source)
    if document is None or done.failed:
        return
    done.stage = Stage.NAMES
    facts = DataFacts(folder_of(source), look=options.look_at_data)
    resolved, done.diagnostics = resolve(
        document, options.settings, facts.fact, options.profiles
    )
    if resolved is None:
        return
    done.stage, done.sources = Stage.WORDS, resolved.sources
    done.spec, done.diagnostics = decode(resolved)
    if done.spec is None:
        return
    done.diagnostics += in_other_profiles(document, options.profiles, facts.fact)
    done.diagnostics += unknown_rules(done.spec.severities)
    if done.failed:
        return
    done.stage = Stage.DATA
    data, done.diagnostics = facts.lower(done.spec.data)
    if data is None:
        return
    done.stage, digest = Stage.TYPES, digest_of(done.sources)
    python = PythonReader(folder_of(source))
    name = name_of(source)
    done.plan, done.diagnostics = lower(done.spec, data, name, digest, python)
    if done.plan is not None:
        levels = severities(done.spec.severities, options.severities)
        done.stage, done.rules = Stage.RULES, asked(levels, options.rules)
        done.diagnostics += check_all(done.plan, done.rules, levels)


def digest_of(sources: Sequence[Source]) -> str:
    """SHA-256 of the texts; that of a spec without imports is of its text alone."""
    texts = [each.text.encode("utf-8", "surrogatepass") for each in sources]
    if len(texts) > 1:
        texts = [hashlib.sha256(text).digest() for text in texts]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def compile_spec(source: Source, options: Options, spec_folder: str) -> Compiled:
    """Checks, then optimizes and generates, if there is no error and all to train.

    spec_folder: where the spec is, seen from the program's own folder.
    """
    # Lint, which must be quick, needs neither.
    from tfpc.codegen.program import generate
    from tfpc.passes.order import optimize

    done = check(source, options)
    if not done.failed:
        done.diagnostics += incomplete(done.spec, done.source)
    if not done.failed and done.plan is not None:
        done.plan = optimize(done.plan)
        done.program = generate(done.plan, spec_folder)
    return done


def incomplete(
    spec: Spec | None,
    source: Source,
    needed: Sequence[str] = BLOCKS,
    what: str = "run",
) -> list[Diagnostic]:
    """What a spec lacks for what is to be done: lint alone takes any part of one."""
    if spec is None:
        return []
    missing = [word for word in needed if getattr(spec, word) is None]
    if not missing:
        return []
    end = Span(source, len(source.text), len(source.text))
    listed = ", no ".join(f"`{word}`" for word in missing)
    headline = f"nothing to {what}: the spec has no {listed}"
    fix = f"write a `{missing[0]}` block"
    return [error("TFP105", headline, end, fix=fix)]


def folder_of(source: Source) -> pathlib.Path:
    """The folder that the spec's paths are relative to; the current one for `-`."""
    return pathlib.Path() if source.name == "-" else pathlib.Path(source.name).parent


def name_of(source: Source) -> str:
    """What runs of the spec are called: its file's name without the ending."""
    return "spec" if source.name == "-" else pathlib.Path(source.name).stem
