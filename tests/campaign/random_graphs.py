#!/usr/bin/env python3
"""Small random graphs with branches and loops, for the campaign.

    random_graphs.py OUT [--count N] [--seed S]"""

import argparse
import json
import pathlib
import random

SIZES = [[4], [16], [4, 4], [8, 4], [3, 5]]
UNARY = ["Sin", "Cos", "Neg", "Abs", "Relu", "Tanh", "Sigmoid"]
BINARY = ["Add", "Mul", "Sub"]


class Maker:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.count = 0
        self.lists = []  # constants of the top

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def node(self, op, inputs, outputs, **more):
        return {"name": self.name("n"), "op": op, "inputs": inputs, "outputs": outputs, **more}

    def body(self, seen, length, depth, wanted=None):
        """Nodes that read what is seen (name -> shape), and their last value of the shape wanted."""
        seen = dict(seen)
        nodes = []
        for _ in range(length):
            nodes += self.step(seen, depth)
        if wanted is None:
            return nodes, seen
        fitting = [name for name, shape in seen.items() if shape == wanted]
        result = self.name("v")
        nodes.append(self.node(self.dice.choice(UNARY), [self.dice.choice(fitting)], [result]))
        return nodes, result

    def step(self, seen, depth):
        source = self.dice.choice(list(seen))
        shape = seen[source]
        made = self.name("v")
        way = self.dice.random()
        if depth > 0 and way < 0.3:
            return self.owner(seen, depth, made, source, shape)
        seen_before = dict(seen)
        seen[made] = shape
        if way < 0.55:
            return [self.node(self.dice.choice(UNARY), [source], [made])]
        if way < 0.75:
            return [self.node(self.dice.choice(BINARY), [source, self.like(seen_before, shape)], [made])]
        if way < 0.8:
            return [self.node("Identity", [source], [made])]
        if way < 0.86 and len(shape) == 2:
            seen[made] = shape[::-1]
            return [self.node("Transpose", [source], [made], attributes={"perm": [1, 0]})]
        if way < 0.92 and shape[0] > 1:
            return self.mover(seen, seen_before, source, made)
        if way < 0.95:
            other = self.name("v")
            seen[other] = shape
            return [self.node("Two", [source], [made, other], domain="my", values=[[made, shape], [other, shape]])]
        alias = self.dice.choice([{"kind": "in-place", "input": 0}, {"kind": "view", "input": 0}])
        return [self.node("Same", [source], [made], domain="my", alias={"0": alias}, values=[[made, shape]])]

    def mover(self, seen, seen_before, source, made):
        """What may lie inside of another, or around others."""
        first, *rest = shape = seen[source]
        op = self.dice.choice(["Concat", "Concat", "Split", "Slice", "Pad"])
        if op == "Concat":
            seen[made] = [first * 2] + rest
            return [self.node(op, [source, self.like(seen_before, shape)], [made], attributes={"axis": 0})]
        if op == "Pad":
            seen[made] = [first + 3] + rest
            return [self.node(op, [source, self.numbers([1] + [0] * len(rest) + [2] + [0] * len(rest))], [made])]
        half = (first + 1) // 2
        seen[made] = [half] + rest
        if op == "Slice":
            begin = self.dice.randrange(first - half + 1)
            return [self.node(op, [source, self.numbers([begin]), self.numbers([begin + half])], [made])]
        other = self.name("v")
        seen[other] = [first - half] + rest
        return [self.node(op, [source], [made, other], attributes={"axis": 0, "num_outputs": 2})]

    def numbers(self, data):
        self.lists.append({"name": self.name("c"), "dtype": "int64", "shape": [len(data)], "data": data})
        return self.lists[-1]["name"]

    def like(self, seen, shape):
        return self.dice.choice([name for name, its in seen.items() if its == shape])

    def owner(self, seen, depth, made, source, shape):
        length = self.dice.randrange(1, 4)
        if self.dice.random() < 0.5:
            branches = {}
            for label in ("then_branch", "else_branch"):
                nodes, result = self.body(seen, length, depth - 1, shape)
                branches[label] = {**typed(nodes), "outputs": [result]}
            seen[made] = shape
            return [self.node("If", [self.dice.choice(["p", "q"])], [made], subgraphs=branches)]
        state, other, trip, on, go, second = (self.name("v") for _ in range(6))
        inner = dict(seen) | {state: shape, other: shape}
        nodes, result = self.body(inner, length, depth - 1, shape)
        also = self.dice.choice([state, other, result])
        body = {"inputs": [{"name": trip, "dtype": "int64", "shape": []}, {"name": on, "dtype": "bool", "shape": []},
                           {"name": state, "dtype": "float32", "shape": shape}, {"name": other, "dtype": "float32", "shape": shape}],
                **typed(nodes + [self.node("Identity", [on], [go])]), "outputs": [go, result, also]}
        first = self.like(seen, shape)
        seen[made] = seen[second] = shape
        trips = self.dice.choice(["once", "twice", "often", "open"])
        return [self.node("Loop", [trips, "yes", source, first], [made, second],
                          subgraphs={"body": body})]

    def graph(self, name):
        inputs = {self.name("x"): self.dice.choice(SIZES) for _ in range(3)}
        nodes, seen = self.body(inputs, self.dice.randrange(4, 12), 2)
        outputs = self.dice.sample([value for value in seen if value not in inputs], 1) + [list(seen)[-1]]
        return {"schema": "plimsoll.graph/1", "name": name, "opset": 21,
                "inputs": [{"name": value, "dtype": "float32", "shape": shape} for value, shape in inputs.items()]
                + [{"name": value, "dtype": "bool", "shape": []} for value in ("p", "q")]
                + [{"name": "open", "dtype": "int64", "shape": []}],
                "constants": [{"name": value, "dtype": "int64", "shape": [], "data": [count]}
                              for value, count in (("once", 1), ("twice", 2), ("often", 5))]
                + [{"name": "yes", "dtype": "bool", "shape": [], "data": [True]}] + self.lists,
                **typed(nodes), "outputs": list(dict.fromkeys(outputs))}


def typed(nodes):
    """What stands in a body: its nodes, and the types of what opaque ones make."""
    values = [{"name": value, "dtype": "float32", "shape": shape} for node in nodes for value, shape in node.pop("values", [])]
    return {"nodes": nodes, "values": values}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        graph = Maker(seed).graph(f"random-{seed}")
        (arguments.out / f"random-{seed}.json").write_text(json.dumps(graph, indent=1))


if __name__ == "__main__":
    main()
