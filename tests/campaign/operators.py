"""What the campaign's judge knows of operators, from their public definitions: no table of Plimsoll's is read here."""

# Every element of the output is computed of the elements at the same index: it may be written over one of them.
ELEMENTWISE = set("""
    abs neg negate relu relu6 leakyrelu leaky_relu elu selu celu gelu silu swish mish hardswish hard_swish hardsigmoid hardtanh
    sigmoid logistic tanh exp exponential exp2 expm1 exponential-minus-one log log1p log-plus-one log2 sqrt rsqrt square erf
    sin sine cos cosine tan asin acos atan sinh cosh asinh acosh atanh floor ceil ceiling round sign reciprocal softplus
    softsign thresholdedrelu not logical_not logicalnot bitwisenot clip clamp add sub subtract mul multiply div divide pow power
    mod remainder maximum minimum and or xor logical_and logical_or logicaland logicalor bitwiseand bitwiseor bitwisexor
    elemwise_add elemwise_sub elemwise_mul elemwise_div broadcast_add broadcast_sub broadcast_mul broadcast_div plus_scalar
    mul_scalar minus_scalar div_scalar prelu atan2 shift-left shift-right-logical shift-right-arithmetic where select cast
    castlike convert equal not_equal greater less greaterorequal lessorequal compare eq ne lt gt le ge isnan isinf
    """.split())
ELEMENTWISE_OF = {"": {"max", "min", "mean", "sum"}}  # elsewhere these are reductions

# Operators of ATen that have no counterpart elsewhere say in alias what may be in place; the table of TensorFlow Lite
# leaves a cast out. What they would do over their input is open.
def is_open(node):
    return node.domain == "aten" or (node.domain, plain(node)) == ("tflite", "cast")


# The output is the input's bytes once more.
IDENTITY = set("identity reshape flatten squeeze unsqueeze copy bitcast _copy expanddims expand_dims".split())

# So are those of a cast to the type that it has.
CASTS = {"cast", "castlike", "convert"}

# Something is read for every output, or at other places than it is written to.
WHOLE = set("""
    matmul gemm conv convolution convtranspose maxpool averagepool globalaveragepool globalmaxpool reducesum reducemean
    reducemax reducemin reduceprod reducel2 reducelogsumexp transpose gather gathernd gatherelements pad tile resize topk
    argmax argmin einsum cumsum addmm mm bmm linear permute_copy conv_2d depthwise_conv_2d fully_connected
    average_pool_2d max_pool_2d mean dot reduce transpose_conv fullyconnected pooling batch_matmul lrn
    onehot range nonzero unique compress upsample nonmaxsuppression lstm gru rnn
    """.split())

# A processor that is told one region for all: what lies where inside of a call is its own affair.
ARRANGES_ITSELF = {"ethos-u"}

IGNORES_CONTENT = {"shape": {0}, "size": {0}, "shape_of": {0}, "castlike": {1}}


def plain(node):
    """The operator's name in the way in which dialects agree."""
    name = node.op.lower()
    if node.domain not in ("", "xla", "mxnet", "plimsoll"):
        name = name.split(".")[0]
    return name.strip("_") if node.domain == "mxnet" else name


def is_elementwise(node):
    return not is_open(node) and plain(node) in ELEMENTWISE | ELEMENTWISE_OF.get(node.domain, set())


def is_identity(node, types=None):
    if plain(node) in CASTS and types and node.inputs[0]:
        return types.get(node.inputs[0]) == types.get(node.outputs[0])
    return plain(node) in IDENTITY


def reads_elsewhere(node):
    """Whether it is sure that the node may not be written over what it reads."""
    return plain(node) in WHOLE


def ignored(node):
    return node.ignores | IGNORES_CONTENT.get(plain(node), set())
