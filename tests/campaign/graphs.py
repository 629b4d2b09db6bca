"""A graph as its plimsoll.graph/1 file says it: nodes and bodies, and values by their full names."""

import dataclasses
import json


KEEPS_NUMBERS = {"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze"}


@dataclasses.dataclass
class Node:
    name: str
    op: str
    domain: str
    inputs: list  # full names; None where an input is left out
    outputs: list
    alias: dict  # output position -> (kind, input position, offset in bytes)
    moves: set  # (output position, input position): other elements are read than are written, as the file says
    ignores: set  # positions of inputs whose content is not read
    attributes: dict
    declares: bool  # of a dialect whose views are declared: a reshape without one rearranges
    bodies: list


@dataclasses.dataclass
class Body:
    inputs: list
    outputs: list
    nodes: list


@dataclasses.dataclass
class Graph:
    inputs: list  # those that the caller gives
    hidden: set  # inputs that the caller gives away
    outer: set  # inputs, parameters and constants, those of bodies too
    constants: dict  # name -> its only element, or None
    numbers: dict  # name -> all elements, as far as the file says them
    shapeless: set  # inputs without a shape
    body: Body
    types: dict = dataclasses.field(default_factory=dict)  # as the report says them: the file leaves most of them out
    shapes: dict = dataclasses.field(default_factory=dict)  # so are these
    strides: dict = dataclasses.field(default_factory=dict)  # of views whose elements lie apart, in elements


def read_graph(file):
    with open(file, encoding="utf-8", errors="surrogateescape") as text:
        root = json.load(text)
    scope = {}
    inputs = declare(root.get("inputs", []), "", scope)
    declare(root.get("parameters", []) + root.get("constants", []), "", scope)
    hidden = {value["name"] for value in root.get("inputs", []) if not value.get("visible", True)}
    outer = set(scope.values())
    graph = Graph(inputs, hidden, outer, {}, {}, {value["name"] for value in root.get("inputs", []) if "shape" not in value}, None)
    note_constants(root, "", graph)
    graph.body = read_body(root, "", scope, inputs, graph)
    return graph


def declare(values, path, scope):
    for value in values:
        scope[value["name"]] = path + value["name"]
    return [scope[value["name"]] for value in values]


def note_constants(owner, path, graph):
    for value in owner.get("constants", []):
        data = value.get("data")
        graph.constants[path + value["name"]] = data[0] if isinstance(data, list) and len(data) == 1 else None
        note_numbers(path + value["name"], data, graph)


def note_numbers(name, data, graph):
    if isinstance(data, list) and all(isinstance(number, int) for number in data):
        graph.numbers[name] = data


def read_body(body, path, scope, inputs, graph):
    for node in body["nodes"]:
        for name in filter(None, node["outputs"]):
            scope[name] = path + name
    nodes = [read_node(node, path, scope, graph) for node in body["nodes"]]
    outputs = [output if isinstance(output, str) else output["name"] for output in body["outputs"]]
    return Body(inputs, [scope[name] for name in outputs], nodes)


def read_node(node, path, scope, graph):
    full = path + node["name"]
    bodies = []
    for label, body in node.get("subgraphs", {}).items():
        inner = dict(scope)
        inside = f"{full}/{label}/"
        inputs = declare(body.get("inputs", []), inside, inner)
        graph.outer.update(declare(body.get("parameters", []) + body.get("constants", []), inside, inner))
        note_constants(body, inside, graph)
        bodies.append(read_body(body, inside, inner, inputs, graph))
    attributes = node.get("attributes", {})
    if node["op"] == "Constant" and isinstance(attributes.get("value"), dict):
        note_numbers(path + node["outputs"][0], attributes["value"].get("data"), graph)
    if node["op"] in KEEPS_NUMBERS and node["inputs"][0] and scope[node["inputs"][0]] in graph.numbers:
        note_numbers(path + node["outputs"][0], graph.numbers[scope[node["inputs"][0]]], graph)
    alias = {int(output): (said["kind"], said["input"], said.get("offset", 0))
             for output, said in node.get("alias", {}).items()}
    moves = {(int(output), int(index)) for output, operands in node.get("access", {}).items()
             for index, maps in operands.items() if not all(map(keeps_place, maps))}
    return Node(full, node["op"], node.get("domain", ""), [scope[name] if name else None for name in node["inputs"]],
                [path + name if name else None for name in node["outputs"]], alias, moves, set(node.get("ignores", [])),
                attributes, node.get("origin", {}).get("dialect") == "aten", bodies)


def keeps_place(access):
    return isinstance(access, dict) and access.get("axes") == [{"from": axis} for axis in range(len(access.get("axes", [])))]


def all_nodes(body):
    for node in body.nodes:
        yield node
        for inner in node.bodies:
            yield from all_nodes(inner)
