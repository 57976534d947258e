"""Nearly valid documents: made from a schema, with words that the catalog knows.

All choices come from one `random.Random`: a seed determines the input, and hypothesis can drive the choices, too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

HOSTILE = (
    "", " ", "\n", "\t", "\x00", "\x1b[31m", "\ufeff", "é", "µ", "日本", "😀", "\u202e", "\ud800", "\udfff\ud800",
    "a" * 65, "A", "_", "0", "-", "..", "../../etc/passwd", "/dev/zero", "~", "a/b", "~1", "$(evil)", "`evil`",
    "; evil", '"; evil(); //', "*/ evil(); /*", "// evil \\", "\\", '\\"', "??/", 'R"(evil)"', "evil\n#include <evil>",
    "%n%s", "{{ evil }}", "{% evil %}", "<script>evil</script>", "]]>", "x_evil", "w0", "*", "@p0", "[0]",
    "a.out->b.in")
NUMBERS = (0, 1, -1, 2, 3, 7, 64, 255, 256, 1000, 4096, 65535, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 1,
           -(2**63), 0.0, -0.0, 0.5, 1.5, -1.5, 1e-9, 1e9, 1e15, 1e300, 5e-324, 1.7976931348623157e308)
ATOMS = ("0", "1", "2", "3.5", "2.4M", "10 k", "1µ", "7", "1e3", "stages", "x", "n")
FUNCTIONS = ("min", "max", "abs", "floor", "ceil", "round", "sqrt", "log2", "eval")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**")


def expression(dice: random.Random, depth: int = 3) -> str:
    """Return a sum of the expression language, sometimes with a wrong part."""
    kind = dice.random()
    if depth == 0 or kind < 0.3:
        return dice.choice(ATOMS)
    if kind < 0.7:
        return f"{expression(dice, depth - 1)} {dice.choice(OPERATORS)} {expression(dice, depth - 1)}"
    if kind < 0.8:
        return f"({expression(dice, depth - 1)})"
    if kind < 0.9:
        arguments = ", ".join(expression(dice, depth - 1) for _ in range(dice.randint(0, 3)))
        return f"{dice.choice(FUNCTIONS)}({arguments})"
    if kind < 0.95:
        return dice.choice("+-") + expression(dice, depth - 1)
    return expression(dice, depth - 1) + dice.choice(("", "(", ")", "^", "__import__", "\x00", "**", "9" * 30, "..",
                                                      *HOSTILE))


class Maker:
    """Values of one schema. `words`: names that the schema's patterns allow and the catalog knows."""

    def __init__(self, schema: Mapping, words: Sequence[str], dice: random.Random):
        self.root, self.words, self.dice = schema, words, dice

    def document(self) -> object:
        return self.value(self.root, 8)

    def value(self, rule: object, depth: int) -> object:
        if rule is True or not isinstance(rule, Mapping) or depth == 0:
            return self.scalar()
        if self.dice.random() < 0.01:
            return self.scalar()
        if "$ref" in rule:
            return self.value(self.root["$defs"][rule["$ref"].removeprefix("#/$defs/")], depth)
        if "const" in rule:
            return rule["const"]
        if "enum" in rule:
            return self.dice.choice(rule["enum"])
        if "anyOf" in rule:
            return self.value(self.dice.choice(rule["anyOf"]), depth)
        make = {"object": self.object, "array": self.array, "string": self.string, "integer": self.number,
                "number": self.number, "boolean": lambda *_: self.dice.random() < 0.5, "null": lambda *_: None}
        kind = rule.get("type")
        return make[kind](rule, depth) if isinstance(kind, str) else self.scalar()

    def scalar(self) -> object:
        return self.dice.choice((None, True, False, [], {}, self.dice.choice(NUMBERS), self.dice.choice(HOSTILE),
                                 self.dice.choice(self.words), {"expr": expression(self.dice)}))

    def object(self, rule: Mapping, depth: int) -> dict:
        made: dict[str, object] = {}
        required = rule.get("required", ())
        for key, child in rule.get("properties", {}).items():
            if self.dice.random() < (0.97 if key in required else 0.3):
                made[key] = expression(self.dice) if key == "expr" else self.value(child, depth - 1)
        other = rule.get("additionalProperties")
        if isinstance(other, Mapping):
            for _ in range(self.dice.choice((0, 1, 1, 2, 3))):
                made[self.word()] = self.value(other, depth - 1)
        elif self.dice.random() < 0.02:
            made[self.dice.choice(("x_note", "unknown", self.word()))] = self.scalar()
        return made

    def array(self, rule: Mapping, depth: int) -> list:
        low, high = rule.get("minItems", 0), rule.get("maxItems", 4)
        count = self.dice.randint(low, max(low, min(high, 4)))
        return [self.value(rule.get("items", True), depth - 1) for _ in range(count)]

    def string(self, rule: Mapping, depth: int) -> str:
        return self.word() if "pattern" in rule or self.dice.random() < 0.7 else self.dice.choice(HOSTILE)

    def word(self) -> str:
        return self.dice.choice(self.words) if self.dice.random() < 0.97 else self.dice.choice(HOSTILE)

    def number(self, rule: Mapping, depth: int) -> int | float:
        low, high = rule.get("minimum", -3), rule.get("maximum", 100)
        if self.dice.random() < 0.8:
            value = self.dice.randint(int(low), max(int(low), min(int(high), int(low) + 20)))
        else:
            value = self.dice.choice(NUMBERS)
        return value if rule["type"] == "number" or self.dice.random() < 0.98 else float(value) / 2
