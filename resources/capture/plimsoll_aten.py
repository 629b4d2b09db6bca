"""What tensors and nodes of PyTorch are, and ATen in the words of ONNX. plimsoll_torch.py leans on it."""

# ---------------------------------------------------------------------------------------------------------------------
# What a tensor is. Everything here takes anything that looks like a tensor: fake ones, and the stand-ins of the tests.


def is_tensor(value):
    return hasattr(value, "untyped_storage") and hasattr(value, "dtype")


def dtype_name(dtype):
    name = str(dtype).replace("torch.", "")
    return {"float8_e4m3fn": "float8e4m3fn", "float8_e5m2": "float8e5m2", "float8_e4m3fnuz": "float8e4m3fnuz",
            "float8_e5m2fnuz": "float8e5m2fnuz"}.get(name, name)


ELEMENT_BYTES = {"float64": 8, "int64": 8, "uint64": 8, "complex64": 8, "complex128": 16, "float32": 4, "int32": 4,
                 "uint32": 4, "float16": 2, "bfloat16": 2, "int16": 2, "uint16": 2}


def element_bytes(value):
    return ELEMENT_BYTES.get(dtype_name(value.dtype), 1)


def size_of(dim):
    """A number, or the expression of a symbol."""
    return dim if isinstance(dim, int) else str(dim)


def memory_shape(value):
    """The shape, with 1 where a stride of 0 repeats one element."""
    strides = value.stride()
    return [1 if isinstance(n, int) and n > 1 and s == 0 else size_of(n) for n, s in zip(value.shape, strides)]


def row_major(value):
    expected = 1
    for size, stride in reversed(list(zip(value.shape, value.stride()))):
        if not isinstance(size, int) or not isinstance(stride, int):
            return True
        if size == 0:
            return True
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def elements(shape):
    count = 1
    for size in shape:
        if not isinstance(size, int):
            return None
        count *= size
    return count


class Storages:
    """Numbers for storages, in the order in which they are met. Two tensors share bytes if the numbers are equal."""

    def __init__(self):
        self._numbers = {}
        self._kept = []  # A storage that is freed would hand its identity on.

    def number(self, value):
        storage = value.untyped_storage()
        key = getattr(storage, "_cdata", id(storage))
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._kept.append(storage)
        return self._numbers[key]


# ---------------------------------------------------------------------------------------------------------------------
# What a node calls.


def name_of_target(target):
    """("aten", "add", "Tensor") of torch.ops.aten.add.Tensor."""
    schema = getattr(target, "_schema", None)
    if schema is not None:
        namespace, _, name = schema.name.partition("::")
        return namespace, name, schema.overload_name or ""
    return "python", getattr(target, "__name__", str(target)), ""


def written_argument(target):
    """The first argument that the operator writes, by its schema, or None."""
    schema = getattr(target, "_schema", None)
    for position, argument in enumerate(schema.arguments if schema is not None else []):
        alias = getattr(argument, "alias_info", None)
        if alias is not None and alias.is_write:
            return position
    return None


def nodes_in(argument):
    """The nodes that stand in an argument, in order."""
    if hasattr(argument, "op") and hasattr(argument, "target"):
        return [argument]
    if isinstance(argument, (list, tuple)):
        return [node for item in argument for node in nodes_in(item)]
    if isinstance(argument, dict):
        return [node for item in argument.values() for node in nodes_in(item)]
    if isinstance(argument, slice):
        return nodes_in([argument.start, argument.stop, argument.step])
    return []


def attribute_of(argument):
    """An argument that is no tensor, as JSON says it; None for what is left out."""
    if argument is None or nodes_in(argument):
        return None
    if isinstance(argument, (bool, int)):
        return int(argument)
    if isinstance(argument, float):
        return argument if abs(argument) != float("inf") and argument == argument else str(argument)
    if isinstance(argument, (list, tuple)) and argument and all(type(item) is int for item in argument):
        return list(argument)
    return str(argument)


# ---------------------------------------------------------------------------------------------------------------------
# ATen in the words of ONNX. A rule gives the operator with its inputs and attributes, or None where it cannot.

UNARY = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "erf": "Erf", "exp": "Exp", "log": "Log", "sqrt": "Sqrt",
         "neg": "Neg", "abs": "Abs", "reciprocal": "Reciprocal", "sin": "Sin", "cos": "Cos", "floor": "Floor",
         "ceil": "Ceil"}
BINARY = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "maximum": "Max", "minimum": "Min"}
COMPARISON = {"eq": "Equal", "lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual"}
SAME_ORDER = {"view", "_unsafe_view", "reshape", "squeeze", "unsqueeze", "expand"}
SAME = {"alias", "detach", "clone", "lift_fresh_copy"}


def call(op, inputs, **attributes):
    return {"op": op, "domain": "", "inputs": inputs, "attributes": attributes}


def translate(writer, node, namespace, name):
    if namespace not in ("aten", "prims") or not is_tensor(node.meta.get("val")):
        return None
    rule = RULES.get(name)
    return rule(writer, node, name) if rule else None


def same_types(writer, node, *others):
    result = dtype_name(node.meta["val"].dtype)
    tensors = [writer.tensor(other) for other in others]
    return all(value is not None and dtype_name(value.dtype) == result for value in tensors)


def unary(writer, node, name):
    if len(node.args) != 1 or not same_types(writer, node, node.args[0]):
        return None
    return call(UNARY[name], [writer.read(node.args[0])])


def broadcast(a, b):
    """The shape of two operands together, or None."""
    shape = []
    for i in range(1, max(len(a), len(b)) + 1):
        x, y = (a[-i] if i <= len(a) else 1), (b[-i] if i <= len(b) else 1)
        if x != y and 1 not in (x, y):
            return None
        shape.insert(0, y if x == 1 else x)
    return shape


def repeated_or_dense(writer, node):
    """A tensor whose elements lie in order once what repeats them is left out."""
    value = node.meta.get("val") if hasattr(node, "meta") else None
    if not is_tensor(value) or node.name not in writer.names:
        return None
    kept = [(n, s) for n, s in zip(value.shape, value.stride()) if s != 0 or n == 1]
    expected = 1
    for size, stride in reversed(kept):
        if isinstance(size, int) and isinstance(stride, int) and size != 1 and stride != expected:
            return None
        expected = expected * size if isinstance(size, int) else stride
    return value


def operands(writer, node, arguments):
    """Two operands of one type, one of which may be a number: (inputs, type), or None."""
    tensors = [a for a in arguments if hasattr(a, "meta")]
    if not tensors or any(repeated_or_dense(writer, t) is None for t in tensors):
        return None
    dtypes = {dtype_name(t.meta["val"].dtype) for t in tensors}
    shapes = [memory_shape(t.meta["val"]) for t in tensors]
    shape = shapes[0] if len(shapes) == 1 else broadcast(*shapes)
    dtype = dtypes.pop()
    if dtypes or dtype == "bool" or shape != memory_shape(node.meta["val"]):
        return None
    inputs = []
    for position, argument in enumerate(arguments):
        if hasattr(argument, "meta"):
            inputs.append(writer.read(argument))
            continue
        whole = isinstance(argument, int) and not isinstance(argument, bool)
        if not whole and not (isinstance(argument, float) and "float" in dtype):
            return None
        data = float(argument) if "float" in dtype else argument
        if data != data or abs(data) == float("inf"):
            data = "nan" if data != data else "inf" if data > 0 else "-inf"
        inputs.append(writer.constant(node.name, "self" if position == 0 else "other", dtype, [], [data]))
    return inputs, dtype


def binary(writer, node, name):
    if len(node.args) != 2 or node.kwargs.get("alpha", 1) != 1 or node.kwargs.get("rounding_mode"):
        return None
    if not {key for key in node.kwargs} <= {"alpha", "rounding_mode"}:
        return None
    found = operands(writer, node, node.args)
    if not found or found[1] != dtype_name(node.meta["val"].dtype):
        return None
    return call(BINARY[name], found[0])


def comparison(writer, node, name):
    found = operands(writer, node, node.args) if len(node.args) == 2 else None
    return call(COMPARISON[name], found[0]) if found else None


def reshape(writer, node, _):
    shape = memory_shape(node.meta["val"])
    if writer.tensor(node.args[0]) is None or sum(not isinstance(size, int) for size in shape) > 1 or 0 in shape:
        return None
    sizes = [size if isinstance(size, int) else -1 for size in shape]
    return call("Reshape", [writer.read(node.args[0]),
                            writer.constant(node.name, "shape", "int64", [len(sizes)], sizes)])


def same(writer, node, name):
    value = node.args[0].meta.get("val")
    if not is_tensor(value):
        return None
    if writer.tensor(node.args[0]) is not None:
        return call("Identity", [writer.read(node.args[0])])
    through = writer.permuted.get(writer.read(node.args[0]))
    if name == "clone" and through:
        return call("Transpose", [through[0]], perm=through[1])
    return None


def matrix(writer, node):
    """A matrix and whether it is read transposed: a transposed view is read through."""
    if writer.tensor(node) is not None:
        return writer.read(node), 0
    through = writer.permuted.get(writer.names.get(node.name))
    return (through[0], 1) if through and through[1] == [1, 0] else None


def product(writer, node, a, b, bias=None):
    left, right = matrix(writer, a), matrix(writer, b)
    if left is None or right is None or (bias is not None and writer.tensor(bias) is None):
        return None
    if bias is None and not left[1] and not right[1]:
        return call("MatMul", [left[0], right[0]])
    flags = {key: 1 for key, (_, on) in (("transA", left), ("transB", right)) if on}
    return call("Gemm", [left[0], right[0]] + ([writer.read(bias)] if bias is not None else []), **flags)


def mm(writer, node, _):
    return product(writer, node, node.args[0], node.args[1])


def addmm(writer, node, _):
    return None if node.kwargs else product(writer, node, node.args[1], node.args[2], node.args[0])


def bmm(writer, node, _):
    if not same_types(writer, node, *node.args):
        return None
    return call("MatMul", [writer.read(a) for a in node.args])


def where(writer, node, _):
    condition = repeated_or_dense(writer, node.args[0])
    found = operands(writer, node, node.args[1:]) if condition is not None and len(node.args) == 3 else None
    return call("Where", [writer.read(node.args[0])] + found[0]) if found else None


REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "amax": "ReduceMax", "amin": "ReduceMin"}


def reduction(writer, node, name):
    if not same_types(writer, node, node.args[0]) or node.kwargs:
        return None
    inputs = [writer.read(node.args[0])]
    if len(node.args) > 1 and node.args[1]:
        axes = [node.args[1]] if isinstance(node.args[1], int) else list(node.args[1])
        inputs.append(writer.constant(node.name, "axes", "int64", [len(axes)], axes))
    return call(REDUCTIONS[name], inputs, keepdims=int(bool(node.args[2])) if len(node.args) > 2 else 0)


def softmax(writer, node, name):
    if not same_types(writer, node, node.args[0]) or (len(node.args) > 2 and node.args[2]):
        return None
    return call("LogSoftmax" if "log" in name else "Softmax", [writer.read(node.args[0])], axis=node.args[1])


def convolution(writer, node, _):
    data, weight, bias, stride, padding, dilation, transposed, extra, groups = node.args
    given = [data, weight] + ([bias] if bias is not None else [])
    if transposed or any(extra) or not same_types(writer, node, *given):
        return None
    return call("Conv", [writer.read(value) for value in given], strides=list(stride), pads=list(padding) * 2,
                dilations=list(dilation), group=groups)


def cat(writer, node, _):
    if not same_types(writer, node, *node.args[0]):
        return None
    return call("Concat", [writer.read(a) for a in node.args[0]], axis=node.args[1] if len(node.args) > 1 else 0)


def embedding(writer, node, _):
    if not same_types(writer, node, node.args[0]) or writer.tensor(node.args[1]) is None:
        return None
    return call("Gather", [writer.read(node.args[0]), writer.read(node.args[1])], axis=0)


def cast(writer, node, _):
    source = writer.tensor(node.args[0])
    if source is None or str(source.device) != str(node.meta["val"].device):
        return None
    to = dtype_name(node.meta["val"].dtype)
    if to == dtype_name(source.dtype):
        return call("Identity", [writer.read(node.args[0])])
    return call("Cast", [writer.read(node.args[0])], to=to)


RULES = {**{name: unary for name in UNARY}, **{name: binary for name in BINARY},
         **{name: comparison for name in COMPARISON}, **{name: reshape for name in SAME_ORDER},
         **{name: same for name in SAME}, **{name: reduction for name in REDUCTIONS}, "mm": mm, "addmm": addmm,
         "bmm": bmm, "where": where, "_softmax": softmax, "_log_softmax": softmax, "convolution": convolution,
         "cat": cat, "embedding": embedding, "_to_copy": cast, "convert_element_type": cast}
