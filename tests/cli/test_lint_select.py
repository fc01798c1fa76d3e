"""Which rules speak, and how loud: --select, --ignore, `lint { }`, `allow`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tfpc.rules.standard import whole_spec

Tfpc = Callable[..., Result]
SHUFFLED = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    shuffle(buffer = 16)
    random_flip(horizontal)
  }
  batch(32)
}
"""
FROZEN = """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  random_crop(8, 8)
  cache(memory)  # allow(cache-after-random): one fixed crop each, on purpose
  when(train) {
    shuffle
  }
  batch(32)
}
"""


@pytest.fixture
def codes(tfpc: Tfpc, tmp_path: Path) -> Callable[..., list[str]]:
    """What lint finds in a spec with these blocks: `warning TFP308`."""

    def find(blocks: str, *flags: str) -> list[str]:
        (tmp_path / "x.tfp").write_text(whole_spec(blocks), encoding="utf-8")
        result = tfpc("lint", "--no-data", *flags, "x.tfp")
        assert result.exit_code in (0, 1), result.output
        return [
            line.partition("]")[0].replace("[", " ")
            for line in result.output.splitlines()
            if line.partition("[")[0] in ("error", "warning", "note")
        ]

    return find


BUFFER, REDRAWN = "warning TFP308", "note TFP302"


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ([], [BUFFER, REDRAWN]),
        (["--select", "TFP308"], [BUFFER]),
        (["--select", "shuffle-buffer-too-small"], [BUFFER]),
        (["--select", "augment_after_cache"], [REDRAWN]),
        (["--select", "TFP3"], [BUFFER, REDRAWN]),
        (["--select", "tfp30"], [BUFFER, REDRAWN]),
        (["--select", "TFP4"], []),
        (["--select", "TFP4,TFP308"], [BUFFER]),
        (["--select", "TFP4", "--select", "TFP302, TFP308"], [BUFFER, REDRAWN]),
        (["--ignore", "TFP3"], []),
        (["--ignore", "TFP308"], [REDRAWN]),
        (["--ignore", "TFP302,shuffle-buffer-too-small"], []),
        (["--select", "TFP3", "--ignore", "TFP302"], [BUFFER]),
        (["--select", "TFP"], [BUFFER, REDRAWN]),
    ],
)
def test_rules_by_name_and_code(
    codes: Callable[..., list[str]], flags: list[str], found: list[str]
) -> None:
    assert codes(SHUFFLED, *flags) == found


def test_other_errors_are_always_told(codes: Callable[..., list[str]]) -> None:
    broken = SHUFFLED.replace("horizontal", "sideways")
    assert codes(broken, "--select", "TFP308") == ["error TFP201"]


@pytest.mark.parametrize("flag", ["--select", "--ignore"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cache-after-randm", "did you mean `cache-after-random`?"),
        ("TFP300", "did you mean `TFP30"),
        ("TFP003", "takes rules only, and `TFP003` is none"),
        ("TFP1", "takes rules only, and `TFP1` is none"),
        ("wrong-value", "what is wrong with syntax, names or types is always told"),
        ("qqqq", "messages name theirs in brackets"),
        ("", "needs the name of a rule"),
        (" , ", "needs the name of a rule"),
    ],
)
def test_names_that_no_rule_has(tfpc: Tfpc, flag: str, name: str, said: str) -> None:
    result = tfpc("lint", flag, name, "x.tfp")
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("level", "found"),
    [
        ("error", ["error TFP302", BUFFER]),
        ("warning", [BUFFER, "warning TFP302"]),
        ("note", [BUFFER, REDRAWN]),
        ("off", [BUFFER]),
    ],
)
def test_the_spec_sets_severities(
    codes: Callable[..., list[str]], level: str, found: list[str]
) -> None:
    block = f"\nlint {{\n  augment_after_cache = {level}\n}}\n"
    assert codes(SHUFFLED + block) == found


def test_the_command_line_comes_last(codes: Callable[..., list[str]]) -> None:
    for level in ("off", "error"):
        blocks = f"{SHUFFLED}\nlint {{ augment_after_cache = {level} }}\n"
        flags = ["--severity", "augment-after-cache=warning"]
        assert codes(blocks, *flags) == [BUFFER, "warning TFP302"]


def test_an_error_can_be_made_a_note(codes: Callable[..., list[str]]) -> None:
    frozen = FROZEN.replace("  # allow(cache-after-random): one fixed crop", "  # one")
    assert codes(frozen) == ["error TFP301"]
    assert codes(frozen + "\nlint { TFP301 = note }\n") == ["note TFP301"]


def test_the_spec_allows(codes: Callable[..., list[str]], tfpc: Tfpc) -> None:
    assert codes(FROZEN) == []
    assert tfpc("lint", "--no-data", "x.tfp").exit_code == 0
    assert codes(FROZEN.replace("one fixed crop each, on purpose", "")) == [
        "error TFP301",
        "warning TFP140",
    ]


def of_pictures(blocks: str) -> str:
    """A spec whose data is a folder of pictures here, so that it can be looked at."""
    for name in "ab":
        folder = Path("pictures") / name
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(64):
            (folder / f"{number}.png").write_bytes(b"")
    return whole_spec(
        f"""
data digits {{
  train = image_folder("pictures")
}}

{blocks}

model classifier from images {{
  flatten
  dense(2)
}}

train classifier {{
  epochs = 1
  optimizer = sgd(learning_rate = 0.1)
  loss = crossentropy
}}
"""
    )


def test_an_allow_of_what_is_off_or_ignored_is_not_unused(tfpc: Tfpc) -> None:
    spec = of_pictures(
        SHUFFLED.replace("horizontal)", "horizontal) # allow(TFP308): not here")
    )
    Path("x.tfp").write_text(spec)
    unused = "`allow(shuffle-buffer-too-small)` allows nothing"
    assert unused in tfpc("lint", "x.tfp").output
    for flags in (
        ["--no-data"],
        ["--ignore", "TFP308"],
        ["--select", "TFP4"],
        ["--set", "train.epochs=2"],
    ):
        result = tfpc("lint", *flags, "x.tfp")
        assert result.exit_code == 0, result.output
        assert "allows nothing" not in result.output
    Path("x.tfp").write_text(spec + "lint { shuffle_buffer_too_small = off }\n")
    assert "allows nothing" not in tfpc("lint", "x.tfp").output
    Path("x.tfp").write_text(spec.replace("epochs = 1", "epochs = none"))
    broken = tfpc("lint", "x.tfp")
    assert broken.exit_code == 1
    assert "allows nothing" not in broken.output
    Path("x.tfp").write_text(spec)
    assert "fixed 1 problem in x.tfp" in tfpc("lint", "--fix", "x.tfp").output
    assert "allow(" not in Path("x.tfp").read_text()


@pytest.mark.parametrize("command", ["emit", "run", "plan"])
def test_all_commands_obey_the_spec(
    tfpc: Tfpc, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfpc.launch.run.launch", lambda *_, **__: 0)
    path = tmp_path / "x.tfp"
    path.write_text(of_pictures(SHUFFLED))
    assert tfpc(command, "x.tfp").exit_code == 0
    raised = of_pictures(SHUFFLED) + "lint { augment_after_cache = error }\n"
    path.write_text(raised)
    refused = tfpc(command, "x.tfp")
    assert refused.exit_code == 1
    assert "error[TFP302]" in refused.output
    reason = "horizontal)  # allow(augment-after-cache): as it should be"
    path.write_text(raised.replace("horizontal)", reason))
    assert tfpc(command, "x.tfp").exit_code == 0
