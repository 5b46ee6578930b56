# SPDX-License-Identifier: Apache-2.0
"""Documents that nobody wrote: the example of a mechanism with other knobs and other parts, drawn from a seed."""
import copy
import functools
import json
import random

from test_exports import tool

DEEPEST = 2


@functools.cache
def mechanisms():
    return {one["id"]: one for one in json.loads(tool("catalogue"))["mechanisms"]}


def of_kind(kind):
    return [one for one in mechanisms().values() if one["kind"] == kind]


def knob_value(knob, draw):
    """A value of the knob's range; None for lists."""
    if knob["type"] == "choice":
        return draw.choice(knob["choices"])
    if knob["type"] == "boolean":
        return draw.random() < 0.5
    if knob["type"] not in ("integer", "number"):
        return None
    low = max(knob["minimum"], knob.get("at_least", knob["minimum"]))
    high = min(knob["maximum"], knob.get("at_most", knob["maximum"]))
    if knob["type"] == "integer":
        return draw.randint(int(low), int(min(high, max(low, 8))))
    if knob["scale"] == "log" and low > 0:
        return round(low * (high / low) ** draw.random(), 4)
    return round(draw.uniform(low, min(high, low + 20)), 3)


def choice_of(mechanism, draw, depth):
    choice = {"type": mechanism["id"]}
    for knob in mechanism["knobs"]:
        value = knob_value(knob, draw) if draw.random() < 0.35 else None
        if value is not None:
            choice[knob["name"]] = value
    for slot in mechanism["slots"] if depth < DEEPEST else ():
        if draw.random() < 0.2:
            choice[slot["name"]] = slot_value(slot, draw, depth)
    return choice


def slot_value(slot, draw, depth):
    ids = slot["only"] or slot["among"]
    allowed = [one for one in of_kind(slot["kind"])
               if one["id"] not in slot["without"] and (not ids or one["id"] in ids)]
    choices = [choice_of(draw.choice(allowed), draw, depth + 1) for _ in range(draw.choice((1, 1, 2)))]
    return choices if slot["list"] else choices[0]


def changed(choice, draw, depth=0):
    """The choice with another knob or another part, here or in one of its parts."""
    choice = {"type": choice} if isinstance(choice, str) else choice
    mechanism = mechanisms()[choice.get("type", "attention")]
    if mechanism["knobs"] and draw.random() < 0.45:
        knob = draw.choice(mechanism["knobs"])
        value = knob_value(knob, draw)
        if value is not None:
            choice[knob["name"]] = value
    elif mechanism["slots"]:
        slot = draw.choice(mechanism["slots"])
        value = choice.get(slot["name"])
        if value and not isinstance(value, list) and draw.random() < 0.6:
            choice[slot["name"]] = changed(value, draw, depth + 1)
        else:
            choice[slot["name"]] = slot_value(slot, draw, depth)
    return choice


def document(seed, mechanism=None):
    """One that may be refused: about two of five are."""
    draw = random.Random(seed)
    made = copy.deepcopy(json.loads(tool("example", mechanism or draw.choice(sorted(mechanisms())))))
    for _ in range(draw.randint(1, 4)):
        if "mechanism" in made:
            made["mechanism"] = changed(made["mechanism"], draw)
    return made


def intervened(made, answer, seed):
    """The document with one to three interventions, on any tensors that its answer names."""
    draw = random.Random(seed)
    shapes = {**{name: one["shape"] for group in ("outputs", "parameters") for name, one in answer[group].items()},
              **{"inputs." + name: [] for name in made["inputs"]}}
    several = []
    for _ in range(draw.randint(1, 3)):
        name = draw.choice(list(shapes))
        one = {"of": name, "type": draw.choice(["set", "scale"]), "value": draw.choice([0, 1, 0.5, -1.25, 2])}
        if name in answer["outputs"] and len(shapes[name]) > 1 and draw.random() < 0.5:
            one["rows"] = draw.randrange(shapes[name][-2])
        several.append(one)
    return {**made, "interventions": several}
