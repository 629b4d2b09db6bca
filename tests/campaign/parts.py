"""Tensors that may lie inside of others, from the public definitions of the operators that only move elements."""

import dataclasses
import itertools
import math
import re


@dataclasses.dataclass
class Part:
    input: int
    input_is_part: bool  # of the output; else the output is one of the input
    offset: int  # in bytes, of the part in the whole; None: the file leaves it open


def parts_of(node, output, graph):
    """Of those inputs of which the output has all elements in one piece, or the other way round."""
    starts_of = STARTS.get((node.domain if node.domain != "ai.onnx" else "", node.op))
    if not starts_of or node.alias or node.declares and not node.domain:
        return
    written = node.outputs[output]
    made, width = graph.shapes.get(written), element_bytes(graph.types.get(written, ""))
    for index, name in enumerate(node.inputs):
        read = graph.shapes.get(name) if name else None
        alike = read and made is not None and width and graph.types.get(name) == graph.types.get(written)
        if not alike or not known(read + made) or math.prod(read) * math.prod(made) == 0:
            continue
        if starts_of in STACKING:
            yield from starts_of(index, output, read, made, width)
            continue
        if len(read) != len(made):
            continue
        starts = starts_of(node, index, output, graph)
        if starts is not None:
            yield from lying(index, read, made, starts, width)


def lying(index, read, made, starts, width):
    """\\p starts: where along each axis the output begins in the input; negative: the input in the output; None: not known."""
    for input_is_part, part, whole in ((False, made, read), (True, read, made)):
        cut = [axis for axis in range(len(whole)) if part[axis] != whole[axis]]
        if any(part[axis] > whole[axis] for axis in cut) or cut and math.prod(whole[:cut[-1]]) != 1:
            continue
        strides = [math.prod(whole[axis + 1:]) for axis in range(len(whole))]
        signed = [start if start is None or not input_is_part else -start for start in starts]
        if any(start is None for start in signed):
            yield Part(index, input_is_part, None)
        elif all(0 <= start <= whole[axis] - part[axis] for axis, start in enumerate(signed)):
            yield Part(index, input_is_part, width * sum(map(math.prod, zip(signed, strides))))
        else:
            continue
        return


def element_bytes(dtype):
    """Of whole bytes; 0: of no such type."""
    digits = re.search("[0-9]+", dtype)
    bits = int(digits[0]) if digits else 8
    return bits // 8 if bits % 8 == 0 and dtype != "string" else 0


def known(shape):
    return all(isinstance(size, int) and size >= 0 for size in shape)


def along(axis, start, rank):
    return [start if index == axis % rank else 0 for index in range(rank)]


def of_concat(node, index, output, graph):
    shapes = [graph.shapes.get(name) for name in node.inputs]
    axis = node.attributes.get("axis", 1)
    before = [shape[axis] if shape else None for shape in shapes[:index]]
    return along(axis, -sum(before) if known(before) else None, len(shapes[index]))


def of_split(node, index, output, graph):
    if index != 0:
        return None
    axis = node.attributes.get("axis", 0)
    before = [graph.shapes[name][axis] if name in graph.shapes else None for name in node.outputs[:output]]
    return along(axis, sum(before) if known(before) else None, len(graph.shapes[node.inputs[0]]))


def setting(node, name, index, graph):
    """The numbers of an attribute or of an input: None where it is left out, [] where it is open."""
    if name in node.attributes:
        return node.attributes[name]
    given = node.inputs[index] if index < len(node.inputs) else None
    return graph.numbers.get(given, []) if given else None


def of_slice(node, index, output, graph):
    if index != 0:
        return None
    shape = graph.shapes[node.inputs[0]]
    first, axes, steps = (setting(node, name, at, graph) for name, at in (("starts", 1), ("axes", 3), ("steps", 4)))
    if steps and any(step != 1 for step in steps):
        return None
    if not first or axes == [] or steps == []:
        return [None] * len(shape)
    starts = [0] * len(shape)
    for axis, start in zip(range(len(first)) if axes is None else axes, first):
        starts[axis] = max(0, min(start + shape[axis] if start < 0 else start, shape[axis]))
    return starts


def of_pad(node, index, output, graph):
    if index != 0 or node.attributes.get("mode", "constant") != "constant":
        return None
    rank = len(graph.shapes[node.inputs[0]])
    pads, axes = (setting(node, name, at, graph) for name, at in (("pads", 1), ("axes", 3)))
    pads = node.attributes.get("paddings", pads)
    if not pads or axes == []:
        return [None] * rank
    starts = [0] * rank
    for axis, before in zip(range(rank) if axes is None else axes, itertools.islice(pads, len(pads) // 2)):
        starts[axis] = -before
    return starts


def between(part, whole):
    """The one axis along which two shapes differ; None if there is none or more than one."""
    axes = [axis for axis in range(len(whole)) if part[axis] != whole[axis]]
    return axes[0] if len(axes) == 1 else None


def of_joined(node, index, output, graph):
    """Tensors one behind the other along the axis that their shapes tell."""
    part, whole = graph.shapes[node.inputs[index]], graph.shapes[node.outputs[output]]
    axis = between(part, whole)
    if axis is None:
        return [0] * len(part) if part == whole else None
    before = [graph.shapes[name][axis] for name in node.inputs[:index]]
    return along(axis, -sum(before), len(part))


def of_cut(node, index, output, graph):
    """Outputs one behind the other along the axis that their shapes tell."""
    whole, part = graph.shapes[node.inputs[index]], graph.shapes[node.outputs[output]]
    axis = between(part, whole)
    if axis is None:
        return [0] * len(part) if part == whole else None
    before = [graph.shapes[name][axis] for name in node.outputs[:output]]
    return along(axis, sum(before), len(part))


def of_open(node, index, output, graph):
    """Somewhere in the first input: the file says where in a way of its own."""
    return [None] * len(graph.shapes[node.inputs[0]]) if index == 0 else None


def of_hlo_slice(node, index, output, graph):
    cuts = re.findall(r"\[(\d+):(\d+)(?::(\d+))?\]", node.attributes.get("slice", ""))
    if len(cuts) != len(graph.shapes[node.inputs[0]]) or any(step not in ("", "1") for _, _, step in cuts):
        return None
    return [int(first) for first, _, _ in cuts]


def of_hlo_pad(node, index, output, graph):
    edges = [axis.split("_") for axis in node.attributes.get("padding", "").split("x")]
    if index != 0 or len(edges) != len(graph.shapes[node.inputs[0]]) or any(edge[2:] not in ([], ["0"]) for edge in edges):
        return None
    return [-int(edge[0]) for edge in edges]


def of_stacked(index, output, read, made, width):
    """Along an axis that only the output has."""
    for axis in range(len(made)):
        if made[:axis] + made[axis + 1:] == read:
            yield from lying(index, read[:axis] + [1] + read[axis:], made, along(axis, -index, len(made)), width)


def of_unstacked(index, output, read, made, width):
    """Along an axis that only the input has."""
    for axis in range(len(read)):
        if read[:axis] + read[axis + 1:] == made:
            yield from lying(index, read, made[:axis] + [1] + made[axis:], along(axis, output, len(read)), width)


STACKING = (of_stacked, of_unstacked)
STARTS = {
    ("", "Concat"): of_concat, ("", "Split"): of_split, ("", "Slice"): of_slice, ("", "Pad"): of_pad,
    ("xla", "concatenate"): of_joined, ("xla", "slice"): of_hlo_slice, ("xla", "pad"): of_hlo_pad,
    ("tflite", "CONCATENATION"): of_joined, ("tflite", "SPLIT"): of_cut, ("tflite", "SPLIT_V"): of_cut,
    ("tflite", "SLICE"): of_open, ("tflite", "PAD"): of_open, ("tflite", "PADV2"): of_open,
    ("tflite", "PACK"): of_stacked, ("tflite", "UNPACK"): of_unstacked,
    ("mxnet", "Concat"): of_joined, ("mxnet", "stack"): of_stacked, ("mxnet", "slice"): of_open,
    ("mxnet", "slice_axis"): of_open, ("mxnet", "SliceChannel"): of_cut, ("mxnet", "Pad"): of_open,
    ("aten", "cat.out"): of_joined, ("aten", "stack.out"): of_stacked,
}
