"""Damages a legal plan in one seeded way. The same plan and seed give the same damage."""

import copy
import itertools
import random

import graphs
import operators

TRIES = 12  # some ways change nothing
MOST = 300  # that are looked at for what lies inside of what
MOVERS = {"Concat", "Split", "Slice", "Pad"}


def damaged(plan, graph, sizes, seed):
    """A damaged copy and what was done to it."""
    dice = random.Random(seed)
    legal, plan = plan, copy.deepcopy(plan)
    done = []
    wanted = 2 if dice.random() < 0.1 else 1
    for _ in range(TRIES):
        way = dice.choice(WAYS)
        if way(plan, graph, sizes, dice):
            done.append(way.__name__)
        if len(done) >= wanted and plan != legal:
            break
    for index, arena in enumerate(plan["arenas"]):
        ends = [entry["offset"] + entry["bytes"] for entry in placed(plan) if entry.get("arena", 0) == index]
        arena["bytes"] = max([arena["bytes"]] + ends)
    return plan, "+".join(done)


def placed(plan):
    return [entry for entry in plan["allocations"] if "host" not in entry]


def together(plan, entry):
    """What lies in the same bytes moves along, as a rule."""
    return [other for other in placed(plan)
            if (other.get("arena", 0), other["offset"]) == (entry.get("arena", 0), entry["offset"])]


def moved(plan, dice):
    """What is moved: one value, or all that begin at the same byte."""
    if not placed(plan):
        return []
    entry = dice.choice(placed(plan))
    return [entry] if dice.random() < 0.6 else together(plan, entry)


def move(entries, arena, offset):
    for entry in entries:
        entry["arena"], entry["offset"] = arena, max(0, offset)
    return bool(entries)


def onto_another(plan, graph, sizes, dice):
    entries = moved(plan, dice)
    target = dice.choice(placed(plan) or [None])
    return target and move(entries, target.get("arena", 0), target["offset"])


def into_another(plan, graph, sizes, dice):
    """Its end over another's begin, or its begin inside of it."""
    entries = moved(plan, dice)
    target = dice.choice(placed(plan) or [None])
    if not entries or target["bytes"] < 2:
        return False
    shift = dice.randrange(1, target["bytes"])
    return move(entries, target.get("arena", 0), target["offset"] + dice.choice([shift, -min(shift, entries[0]["bytes"] - 1)]))


def by_a_few_bytes(plan, graph, sizes, dice):
    entries = moved(plan, dice)
    return entries and move(entries, entries[0].get("arena", 0), entries[0]["offset"] + dice.choice([-64, -16, -4, -1, 1, 4, 16, 64]))


def anywhere(plan, graph, sizes, dice):
    entries = moved(plan, dice)
    if not entries:
        return False
    arena = entries[0].get("arena", 0)
    return move(entries, arena, dice.randrange(0, plan["arenas"][arena]["bytes"] + 1))


def swapped(plan, graph, sizes, dice):
    if len(placed(plan)) < 2:
        return False
    one, other = dice.sample(placed(plan), 2)
    for key in ("arena", "offset"):
        one[key], other[key] = other.get(key, 0), one.get(key, 0)
    return True


def merged(plan, graph, sizes, dice):
    """Two groups of values are given one place."""
    if len(placed(plan)) < 2:
        return False
    one, other = dice.sample(placed(plan), 2)
    return move(together(plan, one), other.get("arena", 0), other["offset"])


def shrunk(plan, graph, sizes, dice):
    entries = [entry for entry in placed(plan) if entry["bytes"] > 0]
    if not entries:
        return False
    entry = dice.choice(entries)
    entry["bytes"] -= dice.randrange(1, min(entry["bytes"], 64) + 1)
    return True


def closed_up(plan, graph, sizes, dice):
    """All above some byte move down."""
    if not placed(plan):
        return False
    border = dice.choice(placed(plan))["offset"]
    shift = dice.choice([4, 16, 64, 256])
    for entry in placed(plan):
        if entry["offset"] >= border:
            entry["offset"] = max(0, entry["offset"] - shift)
    return True


def nested_over_outer(plan, graph, sizes, dice):
    inner = [entry for entry in placed(plan) if "/" in entry["value"] and not entry["value"].startswith("scratch:")]
    outer = [entry for entry in placed(plan) if "/" not in entry["value"]]
    if not inner or not outer:
        return False
    entry, target = dice.choice(inner), dice.choice(outer)
    return move([entry] if dice.random() < 0.5 else together(plan, entry), target.get("arena", 0), target["offset"])


def steps_exchanged(plan, graph, sizes, dice):
    bodies = [body for body in bodies_of(graph.body) if len(body.nodes) > 1]
    if not bodies or not plan.get("steps"):
        return False
    nodes = dice.choice(bodies).nodes
    one = dice.randrange(len(nodes) - 1)
    other = one + 1 if dice.random() < 0.7 else dice.randrange(one + 1, len(nodes))
    change = {nodes[one].name: nodes[other].name, nodes[other].name: nodes[one].name}
    plan["steps"] = list(in_order(graph.body, change, set(plan["steps"])))
    return True


def in_order(body, change, known):
    """The steps, each owner in front of what runs inside of it."""
    nodes = {node.name: node for node in body.nodes}
    for node in body.nodes:
        node = nodes[change.get(node.name, node.name)]
        if node.name in known:
            yield node.name
        for inner in node.bodies:
            yield from in_order(inner, change, known)


def scratchpad(plan, graph, sizes, dice):
    """A node uses bytes for itself."""
    taken = {entry["value"] for entry in plan["allocations"]}
    nodes = [node for node in graphs.all_nodes(graph.body)
             if node.name in (plan.get("steps") or []) and not node.bodies and "scratch:" + node.name not in taken
             and operators.plain(node) not in operators.ARRANGES_ITSELF]
    if not nodes or not plan["arenas"] or plan["arenas"][0]["bytes"] == 0:
        return False
    size = dice.choice([4, 16, 64, 256])
    plan["allocations"].append({"value": "scratch:" + dice.choice(nodes).name, "arena": 0,
                                "offset": dice.randrange(plan["arenas"][0]["bytes"]), "bytes": size})
    return True


def part_shifted(plan, graph, sizes, dice):
    """What lies inside of another, with all of its bytes, moves by some of them."""
    inside = [(one, other) for one, other in itertools.permutations(placed(plan)[:MOST], 2) if lies_inside(one, other)]
    if not inside:
        return False
    part, whole = dice.choice(inside)
    at = dice.randrange(whole["offset"], whole["offset"] + whole["bytes"] - part["bytes"] + 1)
    return at != part["offset"] and move([part] if dice.random() < 0.7 else together(plan, part), part.get("arena", 0), at)


def over_a_part(plan, graph, sizes, dice):
    """Something else over what lies inside of another."""
    parts = [one for one, other in itertools.permutations(placed(plan)[:MOST], 2) if lies_inside(one, other)]
    entries = moved(plan, dice)
    if not parts or not entries:
        return False
    part = dice.choice(parts)
    return part not in entries and move(entries, part.get("arena", 0), part["offset"] + dice.choice([0, 4, -4]))


def lies_inside(part, whole):
    end = part["offset"] + part["bytes"]
    return part.get("arena", 0) == whole.get("arena", 0) and 0 < part["bytes"] < whole["bytes"] and \
        whole["offset"] <= part["offset"] and end <= whole["offset"] + whole["bytes"]


def written_early(plan, graph, sizes, dice):
    """A node that makes a part, or puts parts together, comes one earlier."""
    steps = plan.get("steps") or []
    makers = {name: node.name for node in graph.body.nodes for name in node.outputs if name}
    movers = [node for node in graph.body.nodes if node.op in MOVERS]
    names = {node.name for node in movers} | {makers[name] for node in movers for name in node.inputs if name in makers}
    flat = {node.name for node in graph.body.nodes if not node.bodies}
    later = [at for at in range(1, len(steps)) if steps[at] in names and flat.issuperset(steps[at - 1:at + 1])]
    if not later:
        return False
    at = dice.choice(later)
    to = dice.randrange(max(0, at - 3), at)
    if not flat.issuperset(steps[to:at]):
        to = at - 1
    steps.insert(to, steps.pop(at))
    return True


def into_an_input(plan, graph, sizes, dice):
    entry = dice.choice(placed(plan) or [None])
    taken = {entry["value"] for entry in plan["allocations"]}
    wide = [name for name in graph.inputs if entry and name not in taken and sizes.get(name, 0) >= entry["bytes"]]
    if not wide or entry["value"].startswith("scratch:"):
        return False
    entry.pop("arena", None)
    entry["host"], entry["offset"] = dice.choice(wide), 0
    return True


def bodies_of(body):
    yield body
    for node in body.nodes:
        for inner in node.bodies:
            yield from bodies_of(inner)


WAYS = [onto_another, into_another, by_a_few_bytes, anywhere, swapped, merged, shrunk, closed_up, nested_over_outer,
        steps_exchanged, scratchpad, into_an_input, part_shifted, over_a_part, written_early]
