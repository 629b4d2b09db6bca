#!/usr/bin/env python3
"""Writes the graphs of a PyTorch model as plimsoll.graph/1 (torch 2.5 or newer; nothing else is needed).

    python3 plimsoll_torch.py FILE.py:FUNCTION -o OUT.json [--partitioner default|min-cut] [--inference]

FUNCTION takes nothing and returns (model, arguments). Training: its result, or the sum of what it returns, is the loss;
forward and backward are captured as AOTAutograd partitions them and written as one graph, with what is kept between
them. --inference exports the model with torch.export instead. The model really runs once for training.

    from plimsoll_torch import capture_training, capture_inference, write
    write(capture_training(model, (x,), partitioner="min-cut"), "model.json")

Storages that two tensors share while the model is traced are views of each other here, too. Operators of ATen that
ONNX has under the same meaning become those; others stay under their own name, with what they write.
"""
import argparse
import importlib.util
import json
import operator
import sys

from plimsoll_aten import (Storages, attribute_of, dtype_name, element_bytes, elements, is_tensor, memory_shape,
                           name_of_target, nodes_in, row_major, size_of, translate, written_argument)

# ---------------------------------------------------------------------------------------------------------------------
# One graph, node by node.


class Writer:
    """Collects values and nodes of plimsoll.graph/1."""

    def __init__(self, storages=None):
        self.storages = storages or Storages()
        self.inputs, self.parameters, self.constants = [], [], []
        self.nodes, self.values, self.outputs = [], [], []
        self.names = {}    # FX name -> value that holds it now
        self.tensors = {}  # value -> tensor
        self.permuted = {}  # value -> (value that it permutes, permutation)
        self.used = set()

    def unique(self, name):
        fresh, count = name, 1
        while fresh in self.used:
            count += 1
            fresh = f"{name}_{count}"
        self.used.add(fresh)
        return fresh

    def describe(self, name, value):
        """The entry of a value; a symbolic size is a scalar."""
        if not is_tensor(value):
            return {"name": name, "dtype": "float64" if isinstance(value, float) else "int64", "shape": []}
        entry = {"name": name, "dtype": dtype_name(value.dtype), "shape": memory_shape(value)}
        if str(value.device) != "cpu":
            entry["space"] = str(value.device)
        if getattr(value, "requires_grad", False):
            entry["requiresGrad"] = True
        entry["pytorch"] = {"stride": [size_of(s) for s in value.stride()], "storage": self.storages.number(value),
                            "offset": size_of(value.storage_offset())}
        return entry

    def bind(self, fx_name, value):
        name = self.unique(fx_name)
        self.names[fx_name] = name
        self.tensors[name] = value
        return name

    def constant(self, owner, what, dtype, shape, data):
        name = self.unique(f"{owner}.{what}")
        self.constants.append({"name": name, "dtype": dtype, "shape": shape, "data": data})
        return name

    def add_input(self, node, kind="input", name=None):
        value = node.meta.get("val")
        bound = self.bind(node.name, value)
        entry = self.describe(bound, value)
        if name:
            entry.setdefault("pytorch", {})["name"] = name
        (self.parameters if kind in ("parameter", "buffer") else self.inputs).append(entry)

    def read(self, node):
        return self.names[node.name]

    def tensor(self, node):
        """The tensor of a node that lies row by row, or None."""
        value = node.meta.get("val") if hasattr(node, "meta") else None
        if not is_tensor(value) or node.name not in self.names or not row_major(value):
            return None
        return value


def view_trait(writer, value, inputs):
    """The input whose bytes the value is, and where it begins in them; None if it has bytes of its own."""
    number = writer.storages.number(value)
    for position, name in enumerate(inputs):
        other = writer.tensors.get(name)
        if not is_tensor(other) or writer.storages.number(other) != number:
            continue
        begin, base = value.storage_offset(), other.storage_offset()
        offset = (begin - base) * element_bytes(value) if isinstance(begin, int) and isinstance(base, int) else 0
        size, whole = elements(memory_shape(value)), elements(memory_shape(other))
        if size is not None and whole is not None:
            if offset < 0 or offset + size * element_bytes(value) > whole * element_bytes(other):
                return None  # Overlapping windows: more elements than bytes.
        return {"kind": "view", "input": position, **({"offset": offset} if offset > 0 else {})}
    return None


def results_of(node):
    """The tensors that a node gives, and the names of their values."""
    value = node.meta.get("val")
    if not isinstance(value, (list, tuple)):
        return [(node.name, value)]
    names = [None] * len(value)
    for user in node.users:
        if user.target is operator.getitem and names[user.args[1]] is None:
            names[user.args[1]] = user.name
    return list(zip(names, value))


def add_call(writer, node, phase):
    """A node of an operator; what getitem takes from it are its outputs."""
    if node.target is operator.getitem and isinstance(node.args[0].meta.get("val"), (list, tuple)):
        alias_of_element(writer, node)
        return
    namespace, name, overload = name_of_target(node.target)
    results = results_of(node)
    entry = {"name": node.name, "op": name, "domain": namespace}
    written = written_argument(node.target)
    common = None if written is not None or len(results) > 1 else translate(writer, node, namespace, name)
    if common:
        entry.update(common)
    else:
        entry.update(own_call(writer, node))
        if namespace == "aten" and name in KNOWN:
            entry["domain"] = "pytorch"
    outputs, alias = [], {}
    for position, (fx_name, value) in enumerate(results):
        if value is None or fx_name is None:
            outputs.append(None)
            continue
        bound = writer.bind(fx_name, value)
        writer.values.append(writer.describe(bound, value))
        trait = view_trait(writer, value, entry["inputs"]) if is_tensor(value) and written is None else None
        if trait:
            alias[str(position)] = trait
        outputs.append(bound)
    entry["outputs"] = outputs
    entry["name"] = next((output for output in outputs if output), None) or writer.unique(node.name)
    if written is not None:
        alias["0"] = {"kind": "mutates", "input": 0}
        note_write(writer, node, written, outputs[0])
    if common is None and name in ("permute", "t", "transpose"):
        note_permutation(writer, node, outputs[0])
    if alias:
        entry["alias"] = alias
    add_origin(entry, node, namespace, name, overload, phase)
    writer.nodes.append(entry)


# Operators that Plimsoll knows as aten's, with other attributes or of dense tensors only.
KNOWN = {"_trilinear", "addbmm", "addcdiv", "addcmul", "addmv", "addr", "baddbmm", "ger", "index_add", "lerp",
         "linalg_cross", "matmul", "sigmoid_backward"}


def note_permutation(writer, node, output):
    """Remembers of what a transposed view is a view, where that lies row by row."""
    source = writer.tensor(node.args[0])
    if source is None:
        return
    rank = len(source.shape)
    order = list(range(rank))
    if len(node.args) == 3:
        first, second = node.args[1] % rank, node.args[2] % rank
        order[first], order[second] = second, first
    elif len(node.args) == 2:
        order = [axis % rank for axis in node.args[1]]
    else:
        order.reverse()
    writer.permuted[output] = (writer.read(node.args[0]), order)


def own_call(writer, node):
    """An operator under its own name: tensors are inputs, everything else attributes."""
    inputs = [writer.read(other) for other in nodes_in([list(node.args), dict(node.kwargs)])]
    attributes = {}
    for position, argument in enumerate(node.args):
        attributes[f"argument{position}"] = attribute_of(argument)
    for key, argument in node.kwargs.items():
        attributes[key] = attribute_of(argument)
    return {"inputs": inputs, "attributes": {key: value for key, value in attributes.items() if value is not None}}


def alias_of_element(writer, node):
    """getitem: a second name for an output, where it is not the first."""
    for fx_name, _ in results_of(node.args[0]):
        if fx_name == node.name:
            return
    for user in node.args[0].users:
        if user.target is operator.getitem and user.args[1] == node.args[1] and user.name in writer.names:
            writer.names[node.name] = writer.names[user.name]
            return


def note_write(writer, node, position, output):
    """Whoever reads the argument from here on reads its new version."""
    writer.names[node.args[position].name] = output


def add_origin(entry, node, namespace, name, overload, phase):
    entry["origin"] = {"dialect": namespace, "op": name, "overload": overload}
    if phase:
        entry["phase"] = phase
    if "seq_nr" in node.meta:
        entry["seqNr"] = node.meta["seq_nr"]
    source = source_of(node.meta.get("stack_trace"))
    if source:
        entry["source"] = source
    modules = [path for path, _ in (node.meta.get("nn_module_stack") or {}).values()]
    if modules:
        entry["module"] = modules[-1]
    value = node.meta.get("val")
    if is_tensor(value) and str(value.device) != "cpu":
        entry["device"] = str(value.device)


def source_of(stack):
    """The innermost place of a stack trace, "model.py:12"."""
    places = [line.strip() for line in (stack or "").splitlines() if line.strip().startswith("File ")]
    if not places:
        return None
    parts = places[-1].split('"')
    line = places[-1].split(", line ")[-1].split(",")[0] if ", line " in places[-1] else ""
    return f"{parts[1]}:{line}" if len(parts) > 2 and line.isdigit() else None


# ---------------------------------------------------------------------------------------------------------------------
# Whole graphs.


def results_in(graph):
    """The nodes that a graph returns, in order; None where there is none."""
    output = next(node for node in graph.nodes if node.op == "output")
    flat = []

    def walk(argument):
        if isinstance(argument, (list, tuple)):
            for item in argument:
                walk(item)
        elif isinstance(argument, dict):
            walk(list(argument.values()))
        else:
            flat.append(argument if nodes_in(argument) else None)

    walk(output.args[0])
    return flat


def add_nodes(writer, graph, phase):
    for node in graph.nodes:
        if node.op == "get_attr":
            writer.add_input(node, "parameter", name=str(node.target))
        elif node.op == "call_function":
            add_call(writer, node, phase)


def document(writer, name, facts):
    return {"schema": "plimsoll.graph/1", "name": name, "inputs": writer.inputs, "parameters": writer.parameters,
            "constants": writer.constants, "nodes": writer.nodes, "values": writer.values, "outputs": writer.outputs,
            "pytorch": facts}


def training_document(forward, backward, name="model", facts=None):
    """Forward and backward graph as AOTAutograd parts them, as one. What is kept are the last results of the first."""
    writer = Writer()
    placeholders = [node for node in forward.nodes if node.op == "placeholder"]
    for node in placeholders:
        writer.add_input(node)
    add_nodes(writer, forward, "forward")
    given = [node for node in backward.nodes if node.op == "placeholder"]
    tangents = [node for node in given if node.name.startswith("tangents")]
    kept = [node.name for node in given if not node.name.startswith("tangents")]
    results = results_in(forward)
    saved = results[len(results) - len(kept):]
    if sorted(node.name for node in saved if node is not None) != sorted(kept):
        raise ValueError("the backward graph does not read what the forward graph hands out last: "
                         f"{kept} and {[node and node.name for node in saved]}")
    held = {node.name: writer.read(node) for node in saved}
    user = [writer.read(node) for node in results[:len(results) - len(kept)] if node is not None]
    for node in tangents:
        writer.add_input(node)
    tangent_names = [writer.read(node) for node in tangents]
    writer.names.update(held)
    first = len(writer.nodes)
    add_nodes(writer, backward, "backward")
    facts = dict(facts or {})
    if "donated" in facts:  # positions among what the backward graph is given
        facts["donated"] = [held[given[i].name] for i in facts["donated"] if given[i].name in held]
    if first < len(writer.nodes):
        facts["backward"] = writer.nodes[first]["name"]
    gradients = [node and writer.read(node) for node in results_in(backward)]
    for node, gradient in zip(placeholders, gradients):
        for entry in writer.inputs + writer.parameters:
            if gradient and entry["name"] == node.name:
                entry["requiresGrad"] = True
    writer.outputs = user + [gradient for gradient in gradients if gradient]
    return document(writer, name, {"saved": [held[node.name] for node in saved], "tangents": tangent_names,
                                   "gradients": gradients, "primals": [node.name for node in placeholders], **facts})


def inference_document(graph, kinds, mutated=(), name="model", facts=None):
    """An exported graph. kinds: placeholder name -> (kind, name in the model)."""
    writer = Writer()
    for node in graph.nodes:
        if node.op == "placeholder":
            kind, called = kinds.get(node.name, ("input", None))
            writer.add_input(node, kind, called)
    add_nodes(writer, graph, None)
    writer.outputs = [writer.read(node) for node in results_in(graph) if node is not None]
    return document(writer, name, {"mutated": list(mutated), **(facts or {})})


# ---------------------------------------------------------------------------------------------------------------------
# Where torch is.


def metadata_facts():
    """What AOTAutograd knows of inputs and outputs of the graph that is compiled now."""
    import torch
    context = torch._guards.TracingContext.try_get()
    meta = getattr(context, "fw_metadata", None)
    if meta is None:
        return {}
    facts = {"mutated": [i for i, info in enumerate(meta.input_info) if info.mutates_data],
             "outputs": [str(info.output_type).split(".")[-1] for info in meta.output_info],
             "static": list(getattr(meta, "static_input_indices", None) or [])}
    if getattr(meta, "bw_donated_idxs", None) is not None:
        facts["donated"] = list(meta.bw_donated_idxs)
    return facts


def capture_training(model, arguments, partitioner="default", name=None, dynamic=False):
    """Runs the model and its backward pass once, and gives the graph of both."""
    import torch
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.aot_autograd import make_boxed_func
    from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
    pairs, pending, facts = [], [], {}

    def keep_forward(module, _):
        pending.append(module.graph)
        facts.update(metadata_facts())
        return make_boxed_func(module.forward)

    def keep_backward(module, _):
        facts.update({key: value for key, value in metadata_facts().items() if key == "donated"})
        pairs.append((pending[-1], module.graph))
        return make_boxed_func(module.forward)

    partition = {"default": default_partition, "min-cut": min_cut_rematerialization_partition}[partitioner]
    backend = aot_autograd(fw_compiler=keep_forward, bw_compiler=keep_backward, partition_fn=partition)
    result = torch.compile(model, backend=backend, dynamic=dynamic)(*arguments)
    loss_of(result).backward()
    if len(pairs) != 1:
        raise RuntimeError(f"the model became {len(pairs)} graphs with a backward graph; one is needed. Graph breaks: "
                           "TORCH_LOGS=graph_breaks says where.")
    facts.update({"torch": torch.__version__, "partitioner": partitioner})
    return training_document(*pairs[0], name=name or type(model).__name__, facts=facts)


def loss_of(result):
    """The result itself if it is a scalar, else the sum of everything that has a gradient."""
    if is_tensor(result) and result.dim() == 0:
        return result
    if is_tensor(result):
        return result.sum()
    items = result.values() if isinstance(result, dict) else result
    return sum(item.sum() for item in items if is_tensor(item) and item.requires_grad)


def capture_inference(model, arguments, name=None):
    import torch
    program = torch.export.export(model, tuple(arguments), strict=False).run_decompositions({})
    kinds = {}
    for spec in program.graph_signature.input_specs:
        kind = {"PARAMETER": "parameter", "BUFFER": "buffer", "CONSTANT_TENSOR": "parameter"}.get(spec.kind.name, "input")
        kinds[spec.arg.name] = (kind, spec.target)
    signature = program.graph_signature
    mutated = list(signature.buffers_to_mutate.values()) + list(signature.user_inputs_to_mutate.values())
    return inference_document(program.graph, kinds, mutated, name or type(model).__name__, {"torch": torch.__version__})


def write(graph, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(graph, out, indent=1, allow_nan=False)
        out.write("\n")


def load(place):
    path, _, function = place.rpartition(":")
    spec = importlib.util.spec_from_file_location("captured", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", metavar="FILE.py:FUNCTION")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--partitioner", choices=["default", "min-cut"], default="default")
    parser.add_argument("--inference", action="store_true")
    chosen = parser.parse_args(arguments)
    model, given = load(chosen.place)
    graph = capture_inference(model, given) if chosen.inference else capture_training(model, given, chosen.partitioner)
    write(graph, chosen.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
