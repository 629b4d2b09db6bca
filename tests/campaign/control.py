"""How owners of bodies hand values on: pairs of (source, target), where a source of None is made by the owner itself."""

import dataclasses

import operators

TRIPS = 3  # more go round as the third does
ROWS = 64  # but each hands out another row


class Unsupported(Exception):
    """The judge has no model of something in the graph."""


@dataclasses.dataclass
class Links:
    enter: list
    back: list  # from one trip to the next
    leave: list
    rows: list  # of results that are made row by row
    trips: list  # the numbers of trips that the file leaves open


def links_of(node, constants, size):
    if node.op == "Loop":
        return loop_links(node, constants, size)
    if node.op == "Scan":
        return scan_links(node, size)
    if node.op.lower() == "while":
        return while_links(node, constants)
    raise Unsupported(f"{node.domain}:{node.op} with bodies")


def loop_links(node, constants, size):
    body = node.bodies[0]
    carried = len(body.inputs) - 2
    inputs = node.inputs + [None] * (2 - len(node.inputs))
    rows = pairs(body.outputs[1 + carried:], node.outputs[carried:])
    most = constants.get(inputs[0])
    first = constants.get(inputs[1]) if inputs[1] else True
    trips = trips_of(most, first, not goes_on(body), constants.get(body.outputs[0]), ROWS if rows else TRIPS)
    if rows and size(rows[0][0]) and size(rows[0][1]):
        trips = [min(ROWS, size(rows[0][1]) // size(rows[0][0]))]
    return Links(pairs([None] + inputs[1:], body.inputs), pairs([None] + body.outputs[:1 + carried], body.inputs),
                 pairs(body.inputs[2:], node.outputs[:carried]), rows, trips)


def scan_links(node, size):
    """States go round; of the other inputs a slice goes in each time, of the other outputs a row comes out."""
    body = node.bodies[0]
    sliced = node.attributes.get("num_scan_inputs", 0)
    states = len(body.inputs) - sliced
    if not sliced or len(node.inputs) != len(body.inputs):
        raise Unsupported("Scan of another form")
    slices = pairs(node.inputs[states:], body.inputs[states:])
    count = size(slices[0][0]) // max(1, size(slices[0][1]))
    return Links(pairs(node.inputs[:states], body.inputs) + slices, pairs(body.outputs[:states], body.inputs) + slices,
                 pairs(body.inputs[:states], node.outputs), pairs(body.outputs[states:], node.outputs[states:]),
                 [min(count, ROWS)])


def while_links(node, constants):
    """The body gets and gives back what is carried; its first output says whether it goes on."""
    body = node.bodies[0]
    if len(body.inputs) + 1 != len(node.inputs) or len(body.outputs) != len(node.inputs):
        raise Unsupported("while of another form")
    trips = trips_of(None, constants.get(node.inputs[0]), True, constants.get(body.outputs[0]), TRIPS)
    return Links(pairs(node.inputs[1:], body.inputs), [(body.outputs[0], None)] + pairs(body.outputs[1:], body.inputs),
                 pairs(body.inputs, node.outputs), [], trips)


def pairs(sources, targets):
    return list(zip(sources, targets))


def trips_of(most, first, ends, again, cap):
    """\\p most, \\p first, \\p again: the trip count, the first condition and the body's, where constants; \\p ends: the body may end it."""
    least = 0 if most is None else max(0, min(int(most), cap))
    most = TRIPS if most is None else least
    if first is not None and not first:
        return [0]
    if again is not None and not again:
        most, least = min(most, 1), min(least, 1)
    elif ends:
        least = min(least, 1 if first else 0)
    return list(range(least, most + 1))


def goes_on(body):
    """Whether the loop's condition is handed on unchanged."""
    name = body.outputs[0]
    makers = {output: node for node in body.nodes for output in node.outputs if output}
    while name in makers and operators.is_identity(makers[name]):
        name = makers[name].inputs[0]
    return name == body.inputs[1]


def constant_branch(node, constant):
    if isinstance(constant, bool) or node.op == "If":
        return 0 if constant else 1
    last = len(node.bodies) - 1
    return constant if 0 <= constant <= last else last  # as XLA counts them
