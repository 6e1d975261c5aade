"""`spades rules`: explains rules in words.

spades rules                             the presets and the variants of trumps
spades rules showdown                    its rules, sentence by sentence
spades rules classic trumps=nyc target=300
spades rules my.toml --set nil=false
spades rules --options                   every option, its values and its meaning
"""

import argparse
import json
from typing import Any

from spades_env.game.rules import OPTIONS, Rules, allowed, format_value, parse_changes
from spades_env.play import texts
from spades_env.play.commands.parsing import FINE, UsageError
from spades_env.play.commands.shared import add_set_argument, columns
from spades_env.play.rule_words import GROUPS, VALUES, rule_words


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the rules and the form of the output."""
    presets = ", ".join(Rules.presets())
    parser.add_argument("rules", nargs="*", metavar="RULES", help=f"a file, or one of {presets}; OPTION=VALUE …")
    add_set_argument(parser)
    parser.add_argument("--options", action="store_true", help="list every option with its words")
    parser.add_argument("--json", action="store_true", help="only the data, as JSON")


def run_rules(options: argparse.Namespace) -> int:
    """Print rules, all options, or the presets, as text or as data."""
    named = bool(options.rules or options.set)
    if options.options and named:
        raise UsageError("--options lists what every rule set has: it takes no rules beside it")
    if named:
        rules = Rules.of(" ".join(options.rules) or "classic").replace(**parse_changes(options.set))
        words = rule_words(rules)
        figures = {"rules": str(rules), "options": rules.as_dict(), "words": words}
        text = "\n".join([str(rules), "", *words])
    elif options.options:
        figures, text = listed_options(), options_text()
    else:
        figures, text = overview(), overview_text()
    print(json.dumps(figures, ensure_ascii=False) if options.json else text)
    return FINE


def overview() -> dict[str, Any]:
    """Return how the presets differ from `classic`, and the variants of trumps."""
    usual = Rules().as_dict()
    presets = {
        name: {option: value for option, value in Rules.preset(name).as_dict().items() if value != usual[option]}
        for name in Rules.presets()
    }
    return {"presets": presets, "trumps": {mode: texts.text(f"option.trumps.{mode}") for mode in VALUES["trumps"]}}


def overview_text() -> str:
    found = overview()
    lines = ["presets, and what sets them apart from classic:", ""]
    for name, changes in found["presets"].items():
        words = [f"{option}={format_value(value)}" for option, value in changes.items()]
        lines.append(f"  {name:10}{' '.join(words) or 'the default of every option'}")
    lines += ["", "variants of trumps, with any preset (trumps=…):", ""]
    lines += [f"  {name:10}{words}" for name, words in found["trumps"].items()]
    return "\n".join([*lines, "", "spades rules NAME says what holds there; spades rules --options lists every option"])


def listed_options() -> list[dict[str, Any]]:
    """Return every option with its group, its meaning, its values, and its value in `classic`."""
    usual = Rules().as_dict()
    groups = {
        name: (texts.text(f"options.{group}"), texts.text(f"option.{name}"))
        for group, names in GROUPS.items()
        for name in names
    }
    return [
        {"option": name, "group": groups[name][0], "words": groups[name][1]}
        | {"takes": allowed(name), "classic": usual[name]}
        for name in OPTIONS
    ]


def options_text() -> str:
    lines = []
    listed = listed_options()
    for group in dict.fromkeys(one["group"] for one in listed):
        rows = [["option", "in classic"]]
        rows += [[one["option"], format_value(one["classic"])] for one in listed if one["group"] == group]
        heads = columns(rows).splitlines()
        about = ["", *(f"{one['words']}: {one['takes']}" for one in listed if one["group"] == group)]
        lines += ["", group, *(f"  {head}  {words}".rstrip() for head, words in zip(heads, about, strict=True))]
    return "\n".join(lines[1:])
