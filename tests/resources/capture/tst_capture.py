"""Runs the capture script against stand-ins for PyTorch's graphs and tensors, and plans what it writes.

    python3 tst_capture.py FOLDER_OF_THE_SCRIPT plimsoll-cli
"""
import json
import operator
import os
import subprocess
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
SCRIPTS, CLI = sys.argv[1:3]
sys.path.insert(0, SCRIPTS)
import plimsoll_torch as capture  # noqa: E402


class Storage:
    """Bytes that tensors share."""


class Tensor:
    def __init__(self, *shape, dtype="float32", storage=None, stride=None, offset=0, grad=False):
        self.shape, self.dtype, self.device, self.requires_grad = shape, f"torch.{dtype}", "cpu", grad
        self._storage, self._offset = storage or Storage(), offset
        self._stride = stride
        if stride is None:
            self._stride, step = [], 1
            for size in reversed(shape):
                self._stride.insert(0, step)
                step *= size if isinstance(size, int) else 1

    def stride(self):
        return tuple(self._stride)

    def storage_offset(self):
        return self._offset

    def untyped_storage(self):
        return self._storage

    def view(self, *shape, **changes):
        return Tensor(*shape, dtype=self.dtype[6:], storage=self._storage, **changes)


def overload(name, writes=None, arguments=3):
    """torch.ops.aten.<name>.<overload>"""
    name, _, which = name.partition(".")
    infos = [types.SimpleNamespace(alias_info=types.SimpleNamespace(is_write=True) if i == writes else None)
             for i in range(arguments)]
    namespace = "" if "::" in name else "aten::"
    return types.SimpleNamespace(_schema=types.SimpleNamespace(name=namespace + name, overload_name=which, arguments=infos))


class Node:
    def __init__(self, op, name, target, args=(), kwargs=None, val=None, **meta):
        self.op, self.name, self.target, self.args, self.kwargs = op, name, target, tuple(args), kwargs or {}
        self.meta, self.users = {"val": val, **meta}, {}
        for other in capture.nodes_in([list(self.args), self.kwargs]):
            other.users[self] = None


class Graph:
    def __init__(self):
        self.nodes = []

    def add(self, *args, **kwargs):
        self.nodes.append(Node(*args, **kwargs))
        return self.nodes[-1]

    def input(self, name, val):
        return self.add("placeholder", name, name, val=val)

    def call(self, name, target, args, val, kwargs=None, **meta):
        target = target if callable(target) else overload(target)
        return self.add("call_function", name, target, args, kwargs, val, **meta)

    def output(self, *results):
        return self.add("output", "output", "output", (results,))


def linear_halves():
    """y = relu(x w^T + b), as AOTAutograd parts it. x is kept, and relu's result."""
    w, b, x = Tensor(4, 3, grad=True), Tensor(4, grad=True), Tensor(2, 3)
    forward = Graph()
    p1, p2, p3 = forward.input("primals_1", w), forward.input("primals_2", b), forward.input("primals_3", x)
    t = forward.call("t", "t", [p1], w.view(3, 4, stride=[1, 3]))
    addmm = forward.call("addmm", "addmm", [p2, p3, t], Tensor(2, 4),
                         stack_trace='  File "model.py", line 12, in forward\n    return f(x)\n', seq_nr=7)
    relu_value = Tensor(2, 4)
    relu = forward.call("relu", "relu", [addmm], relu_value)
    forward.output(relu, p3, relu)
    backward = Graph()
    kept = backward.input("primals_3", x)
    saved = backward.input("relu", relu_value)
    tangent = backward.input("tangents_1", Tensor(2, 4))
    le = backward.call("le", "le.Scalar", [saved, 0], Tensor(2, 4, dtype="bool"))
    zero = backward.call("full", "full", [[], 0.0], Tensor(), {"dtype": "torch.float32"})
    gate = backward.call("where", "where.self", [le, zero, tangent], Tensor(2, 4))
    turned = backward.call("t", "t", [gate], gate.meta["val"].view(4, 2, stride=[1, 4]))
    mm = backward.call("mm", "mm", [turned, kept], Tensor(4, 3))
    total = backward.call("sum_1", "sum.dim_IntList", [gate, [0], True], Tensor(1, 4))
    flat = backward.call("view", "view", [total, [4]], total.meta["val"].view(4))
    backward.output(mm, flat, None)
    return forward, backward


def by_name(graph, name):
    return next(node for node in graph["nodes"] if name in node["outputs"])


def run(command, graph):
    with tempfile.TemporaryDirectory() as folder:
        path, report = os.path.join(folder, "g.json"), os.path.join(folder, "r.json")
        capture.write(graph, path)
        done = subprocess.run([CLI, command, path, "--json", report], capture_output=True, text=True, timeout=60)
        if not os.path.exists(report):
            raise AssertionError(f"exit {done.returncode}: {done.stderr}")
        with open(report, encoding="utf-8") as text:
            return done.returncode, json.load(text)


class Training(unittest.TestCase):
    def setUp(self):
        self.graph = capture.training_document(*linear_halves(), facts={"donated": []})

    def test_what_is_kept_is_named_in_order(self):
        facts = self.graph["pytorch"]
        self.assertEqual(facts["saved"], ["primals_3", "relu"])
        self.assertEqual(facts["tangents"], ["tangents_1"])
        self.assertEqual(facts["gradients"], ["mm", "view", None])
        self.assertEqual(self.graph["outputs"], ["relu", "mm", "view"])
        self.assertEqual([i["name"] for i in self.graph["inputs"] if i.get("requiresGrad")], ["primals_1", "primals_2"])

    def test_a_transposed_view_is_read_through(self):
        self.assertEqual(by_name(self.graph, "t")["alias"], {"0": {"kind": "view", "input": 0}})
        addmm = by_name(self.graph, "addmm")
        self.assertEqual((addmm["op"], addmm["inputs"]), ("Gemm", ["primals_3", "primals_1", "primals_2"]))
        self.assertEqual(addmm["attributes"], {"transB": 1})
        self.assertEqual(by_name(self.graph, "mm")["attributes"], {"transA": 1})

    def test_names_of_both_halves_are_parted(self):
        self.assertEqual([n["outputs"] for n in self.graph["nodes"] if n["op"] == "t"], [["t"], ["t_2"]])
        self.assertEqual(len({n["name"] for n in self.graph["nodes"]}), len(self.graph["nodes"]))

    def test_places_and_phases_are_kept(self):
        addmm = by_name(self.graph, "addmm")
        self.assertEqual(addmm["source"], "model.py:12")
        self.assertEqual(addmm["seqNr"], 7)
        self.assertEqual(addmm["origin"], {"dialect": "aten", "op": "addmm", "overload": ""})
        self.assertEqual({n["phase"] for n in self.graph["nodes"]}, {"forward", "backward"})

    def test_it_is_planned_and_run(self):
        for command in ("plan", "run"):
            code, report = run(command, self.graph)
            self.assertEqual(code, 0)
            self.assertEqual([f for f in report["findings"] if f["severity"] == "error"], [])
        storages = {v["name"]: v["storage"] for v in report["values"]}
        self.assertEqual(storages["t"], storages["primals_1"])
        self.assertEqual(report["run"]["mismatches"], [])

    def test_halves_that_do_not_belong_together_are_refused(self):
        forward, backward = linear_halves()
        forward.nodes[-1].args = ((forward.nodes[-2],),)
        with self.assertRaisesRegex(ValueError, "does not read what the forward graph hands out"):
            capture.training_document(forward, backward)


class Calls(unittest.TestCase):
    def one(self, target, args, val, **inputs):
        graph = Graph()
        nodes = {name: graph.input(name, value) for name, value in inputs.items()}
        args = [nodes.get(a, a) if isinstance(a, str) else a for a in args]
        graph.output(graph.call("r", target, args, val))
        return capture.inference_document(graph, {})

    def test_numbers_take_the_type_of_the_tensor(self):
        graph = self.one("mul.Tensor", ["x", 2], Tensor(3), x=Tensor(3))
        self.assertEqual(graph["constants"], [{"name": "r.other", "dtype": "float32", "shape": [], "data": [2.0]}])

    def test_mixed_types_stay_under_their_own_name(self):
        graph = self.one("mul.Tensor", ["x", "b"], Tensor(3), x=Tensor(3), b=Tensor(3, dtype="bool"))
        self.assertEqual((graph["nodes"][0]["domain"], graph["nodes"][0]["op"]), ("aten", "mul"))

    def test_operators_that_plimsoll_takes_otherwise_are_kept_apart(self):
        graph = self.one("lerp.Scalar", ["x", "x", 0.5], Tensor(3), x=Tensor(3))
        self.assertEqual((graph["nodes"][0]["domain"], graph["nodes"][0]["op"]), ("pytorch", "lerp"))
        self.assertEqual(run("run", graph)[0], 0)

    def test_an_unknown_operator_keeps_its_arguments(self):
        graph = self.one("my::op.out", ["x", [1, 2], None, "mode"], Tensor(3), x=Tensor(3))
        node = graph["nodes"][0]
        self.assertEqual((node["domain"], node["op"], node["inputs"]), ("my", "op", ["x"]))
        self.assertEqual(node["attributes"], {"argument1": [1, 2], "argument3": "mode"})
        self.assertEqual(run("plan", graph)[0], 0)

    def test_a_part_begins_where_it_lies(self):
        x = Tensor(4, 3)
        graph = self.one("select.int", ["x", 0, 2], x.view(3, offset=6), x=x)
        self.assertEqual(graph["nodes"][0]["alias"], {"0": {"kind": "view", "input": 0, "offset": 24}})
        self.assertEqual(run("plan", graph)[0], 0)

    def test_a_copy_of_a_transposed_view_reads_through_it(self):
        graph, x = Graph(), Tensor(2, 3, 4)
        source = graph.input("x", x)
        turned = graph.call("turned", "transpose.int", [source, -1, 0], x.view(4, 3, 2, stride=[1, 4, 12]))
        graph.output(graph.call("copied", "clone", [turned], Tensor(4, 3, 2)))
        node = capture.inference_document(graph, {})["nodes"][1]
        self.assertEqual((node["op"], node["inputs"], node["attributes"]), ("Transpose", ["x"], {"perm": [2, 1, 0]}))

    def test_overlapping_windows_have_bytes_of_their_own(self):
        x = Tensor(4)
        graph = self.one("as_strided", ["x", [3, 2], [1, 1]], x.view(3, 2, stride=[1, 1]), x=x)
        self.assertNotIn("alias", graph["nodes"][0])
        self.assertEqual(run("plan", graph)[0], 0)

    def test_what_is_repeated_has_size_one(self):
        x = Tensor(1, 3)
        graph = self.one("expand", ["x", [4, 3]], x.view(4, 3, stride=[0, 1]), x=x)
        self.assertEqual(graph["values"][0]["shape"], [1, 3])
        self.assertEqual(run("run", graph)[0], 0)

    def test_symbols_are_sizes(self):
        graph = self.one("relu", ["x"], Tensor("s0", 4), x=Tensor("s0", 4))
        self.assertEqual(graph["inputs"][0]["shape"], ["s0", 4])
        self.assertEqual(run("plan", graph)[0], 0)

    def test_readers_after_a_write_read_the_new_version(self):
        graph = Graph()
        x, y = graph.input("x", Tensor(3)), graph.input("y", Tensor(3))
        graph.call("copy_", WRITES, [x, y], x.meta["val"])
        graph.output(graph.call("exp", "exp", [x], Tensor(3)))
        made = capture.inference_document(graph, {"x": ("buffer", "moving_mean")}, ["moving_mean"])
        self.assertEqual(made["nodes"][0]["alias"], {"0": {"kind": "mutates", "input": 0}})
        self.assertEqual(made["nodes"][1]["inputs"], ["copy_"])
        self.assertEqual(made["parameters"][0]["pytorch"]["name"], "moving_mean")

    def test_several_outputs_are_those_that_are_taken(self):
        graph = Graph()
        x = graph.input("x", Tensor(4, 4))
        both = graph.call("pool", "max_pool2d_with_indices", [x, [2, 2]], (Tensor(2, 2), Tensor(2, 2, dtype="int64")))
        graph.output(graph.call("getitem_1", operator.getitem, [both, 1], Tensor(2, 2, dtype="int64")))
        made = capture.inference_document(graph, {})
        self.assertEqual(made["nodes"][0]["outputs"], [None, "getitem_1"])
        self.assertEqual(run("run", made)[0], 0)


class Writing:
    """torch.ops.aten.copy_.default: callable, with a schema that says what it writes."""
    _schema = overload("copy_", writes=0)._schema

    def __call__(self):
        raise AssertionError("nothing is executed")


WRITES = Writing()

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
