#pragma once

#include <string_view>

namespace plimsoll::test {
inline constexpr std::string_view Chain = "graph g\ninput x float32[4,256]\nparam w float32[4,256]\n"
                                          "first: a = Add(x, w)\nsecond: b = Relu(a)\n"
                                          "third: c = Mul(b, x) alpha=2 pads=[0,1] mode=\"same\"\noutput c\n";
inline constexpr std::string_view Training = "input x float32[8,4]\nparam w float32[4,2]\n"
                                             "n0: h = MatMul(x, w)\nn1: r = Exp(h)\nn2: l = ReduceSum(r) keepdims=0\n"
                                             "output l\ngrad w\nloss l\n";
inline constexpr std::string_view Counting = "input x float32[64]\nn0: i = NonZero(x)\nn1: y = Relu(x)\noutput i y\n";
inline constexpr std::string_view Ladder = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(a)\nn2: c = Exp(b)\n"
                                           "n3: d = Add(a, c)\nn4: e = Concat(d, c) axis=0\noutput e\n";
inline constexpr std::string_view Stacked = "placement=no-reuse inplace=off capacity=cpu=512";
inline constexpr std::string_view Beside = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Neg(x)\nn2: c = Exp(a)\n"
                                           "n3: d = Exp(b)\nn4: e = Add(c, d)\noutput e\n";
inline constexpr std::string_view Sparse =
    "input s float32[4,4]@csr:5\ninput v float32[4,2]\nn0: y = MatMul(s, v)\noutput y\n";
inline constexpr std::string_view Shared = "input x float32[16]\na: p = Relu(x)\nb: q = Identity(p)\noutput p q\n";
inline constexpr std::string_view Nested = "input k bool[]\ninput x float32[16]\ni: y = If(k)\nbody then_branch\n"
                                           "  a: t = Relu(x)\n  output t\nend\nbody else_branch\n  b: e = Neg(x)\n"
                                           "  output e\nend\noutput y\n";

/// What is said of one thing. "value b", "storage 2", "hole 0", "finding 0", "step 1", "graph"
struct Case
{
    std::string_view graph, choices, what, text;
};

inline constexpr Case Cases[] = {
    {Chain, "", "value b", R"(
value b

What it is
  Type: float32[4,256]
  Role: intermediate
  Logical: 4,096 (4.00 KiB)
  Required: 4,096 (4.00 KiB)

Where and when
  Storage: s2, cpu [0x0, 0x1000)
  Offset: 0
  Live steps: [1, 3)
  Shares as: in-place

What writes and reads it
  Written by: second (Relu, step 1)
  Read by: third (Mul, step 2)

Shares its storage with
  [0, 2): a
  [2, 3): c, in-place

Decisions
  in-place: made with a: 'second' is the last to read 'a', so it may write 'b' over it.
  in-place: made with c: 'third' is the last to read 'b', so it may write 'c' over it.
)"},
    {Chain, "", "value x", R"(
value x

What it is
  Type: float32[4,256]
  Role: input
  Logical: 4,096 (4.00 KiB)
  Required: 4,096 (4.00 KiB)
  Visible: the caller can look at it

Where and when
  Storage: s0, caller's bytes
  Live steps: [0, 3)

What writes and reads it
  Read by: first (Add, step 0)
  Read by: third (Mul, step 2)

Decisions
  in-place: refused with a: The bytes of 'x' are not the plan's to share.
  in-place: refused with c: The bytes of 'x' are not the plan's to share.
)"},
    {Chain, "", "node third", R"(
node third

What it is
  Operator: Mul
  Step: [2, 3)
  Implementation: reference

Reads
  0: b float32[4,256]  s2  4.00 KiB
  1: x float32[4,256]  s0  4.00 KiB

Writes
  0: c float32[4,256]  s2  4.00 KiB

Attributes
  alpha: 2
  mode: same
  pads: [0, 1]

Decisions
  in-place: c made with b: 'third' is the last to read 'b', so it may write 'c' over it.
  in-place: c refused with x: The bytes of 'x' are not the plan's to share.
)"},
    {Chain, "", "storage 2", R"(
storage s2

What it is
  Bytes: 4,096 (4.00 KiB)
  Arena: cpu
  Offset: 0
  Live steps: [0, 3)
  Kept because: the caller looks at 'c'

Values, in order of definition
  [0, 2): a
  [1, 3): b, in-place
  [2, 3): c, in-place

Decisions
  in-place: a refused with x: The bytes of 'x' are not the plan's to share.
  in-place: a refused with w: The bytes of 'w' are not the plan's to share.
  in-place: b made with a: 'second' is the last to read 'a', so it may write 'b' over it.
  in-place: c made with b: 'third' is the last to read 'b', so it may write 'c' over it.
  in-place: c refused with x: The bytes of 'x' are not the plan's to share.
)"},
    {Chain, "", "step 1", R"(
step 1

At this step
  Runs: second (Relu, step 1)
  Reads: a, s2, 4.00 KiB
  Writes: b, s2, 4.00 KiB
  Live: 4,096 (4.00 KiB)
  Taken: 0
  Given back: 0

1 storage is live
  4.00 KiB: s2  a (the caller looks at 'c')
)"},
    {Chain, "", "graph", R"(
graph g

Graph
  Format: text
  Nodes: 3 nodes
  Values: 5
  Storages: 1
  Nested graphs: 0

Bytes
  Peak: 4,096 (4.00 KiB)
  Lower bound: 4,096 (4.00 KiB)
  Waste: 0
  …of the bound: 0.0 %
  Without reuse: 4,096 (4.00 KiB)
  External: 8,192 (8.00 KiB)
  …parameters: 4,096 (4.00 KiB)
  In all: 12,288 (12.0 KiB)

How it was found
  Algorithm: best
  Found by: sweep
  Ended: proved lowest for this sharing
  Proved bound: 4,096 (4.00 KiB)

Alive at the fullest step, 0
  4.00 KiB: s2  a (the caller looks at 'c')
)"},
    {Training, "", "value r", R"(
value r

What it is
  Type: float32[8,2]
  Role: intermediate
  Logical: 64
  Required: 64

Where and when
  Storage: s2, cpu [0x0, 0x40)
  Offset: 0
  Live steps: [1, 5)
  Shares as: in-place

What writes and reads it
  Written by: n1 (Exp, step 1)
  Read by: n2 (ReduceSum, step 2)
  Read by: backward:n1 (plimsoll.grad::Exp, step 4)

Kept for backward
  Saved by: n1 (Exp, step 1)
  Until: backward:n1 (plimsoll.grad::Exp, step 4)
  Reason: output
  Needed for: h
  Holds: 64
  Donation: possible

Shares its storage with
  [0, 2): h

Decisions
  save: made with n1: It is kept for 'backward:n1', which reads it for the gradient of 'h'.
  in-place: made with h: 'n1' is the last to read 'h', so it may write 'r' over it.
)"},
    {Training, "", "node backward:n1", R"(
node backward:n1

What it is
  Operator: plimsoll.grad::Exp
  Step: [4, 5)
  Implementation: reference

Reads
  0: grad:r float32[1,1]  s4  4 B
  1: r float32[8,2]  s2  64 B

Writes
  0: grad:h float32[8,2]  s5  64 B

Attributes
  grad.arguments: 1 text
  grad.formulas: 1 text
  grad.names: 2 texts
  grad.sizes.g: [8, 2]
  grad.sizes.result: [8, 2]
  grad.sizes.self: [8, 2]
  grad.variables: 1 text
)"},
    {Ladder, Stacked, "finding 0", R"(
finding beyond-capacity

error
  What: Arena 0 (cpu) needs 1,536 bytes, 1,024 more than its capacity of 512: bytes above it are in use during steps [2, 5), at step 4 with the most in use by 'e', 'c', 'd'; with this sharing 1,024 bytes are in use at that step.
  Rule: Values lie inside their arena, and the arena inside its capacity.
  To mend it: Try another placement, allow more sharing, or raise the capacity.
  Steps: [2, 5)
  Bytes: [0x200, 0x600)

What it names
  Value: e
  Value: c
  Value: d
  Node: n4 (Concat, step 4)
)"},
    {Ladder, Stacked, "hole 1", R"(
hole 2

Free bytes with live ones above
  Bytes: 256
  Arena: cpu
  Offsets: [0x100, 0x200)
  Steps: [3, 4)

What lies above, upwards
  256 B: s3  c
  256 B: s4  d

What lies below, downwards
  256 B: s1  a
)"},
    {Ladder, Stacked, "hole 9", R"(
hole 10
)"},
    {Ladder, Stacked, "graph", R"(
graph test

Graph
  Format: text
  Nodes: 5 nodes
  Values: 6
  Storages: 5
  Nested graphs: 0

Bytes
  Peak: 1,536 (1.50 KiB)
  Lower bound: 1,024 (1.00 KiB)
  Waste: 512
  …of the bound: 50.0 %
  Without reuse: 1,536 (1.50 KiB)
  External: 256
  …parameters: 0
  In all: 1,792 (1.75 KiB)

How it was found
  Algorithm: no-reuse
  Found by: no-reuse
  Ended: this algorithm makes one plan and does not search
  Proved bound: 1,024 (1.00 KiB)

Above the bound
  Where, and why: 50.0 % above the bound: at step 4 'e' ends at 1.50 KiB while 1.00 KiB are alive, so 512 B lie free beneath. placement=no-reuse makes one plan; best would search for a lower one.

The tower to the top, downwards
  512 B: s5  e (the caller looks at it)
  256 B: s4  d ('n4' reads it at step 4)
  256 B: s3  c ('n4' reads it at step 4)
  256 B: s2  b ('n2' reads it at step 2)
  256 B: s1  a ('n3' reads it at step 3)

Alive at the fullest step, 4
  512 B: s5  e (the caller looks at it)
  256 B: s3  c ('n4' reads it at step 4)
  256 B: s4  d ('n4' reads it at step 4)
)"},
    {Counting, "", "value i", R"(
value i

What it is
  Type: int64[1,?]
  Role: output
  Logical: unknown
  Required: unknown
  Visible: the caller can look at it

Where and when
  Not planned: depends on data: NonZero
  At most: 512
  Live steps: [0, 2)

What writes and reads it
  Written by: n0 (NonZero, step 0)
  Graph output: 0

Decisions
  unplanned: made: depends on data: NonZero
)"},
    {Counting, "dynamic=bounded", "value i", R"(
value i

What it is
  Type: int64[1,?]
  Role: output
  Logical: unknown
  At most: 512
  Visible: the caller can look at it

Where and when
  Storage: s1, cpu [0x0, 0x200)
  Offset: 0
  Live steps: [0, 2)

What writes and reads it
  Written by: n0 (NonZero, step 0)
  Graph output: 0
)"},
    {Beside, "streams=2", "node n4", R"(
node n4

What it is
  Operator: Add
  Step: [4, 5)
  Implementation: reference

Streams
  Runs on: stream 0
  Waits for: n3 (Exp, step 3) on stream 1

Reads
  0: c float32[64]  s1  256 B
  1: d float32[64]  s2  256 B

Writes
  0: e float32[64]  s1  256 B

Decisions
  in-place: e made with c: 'n4' is the last to read 'c', so it may write 'e' over it.
  in-place: e refused with d: 'e' already has its bytes from another sharing.
)"},
    {Sparse, "", "value s", R"(
value s

What it is
  Type: csr(float32[4,4], at most 5)
  Role: input
  Logical: 100
  Required: 100
  Kept as: csr
  Keeps at most: 5 elements
  Visible: the caller can look at it

Where and when
  Storage: s0, caller's bytes
  Live steps: [0, 1)

What writes and reads it
  Read by: n0 (MatMul, step 0)
)"},
    {Sparse, "", "node n0", R"(
node n0

What it is
  Operator: MatMul
  Step: [0, 1)
  Implementation: reference csr + dense
  Kept as: csr + dense → dense
  Sparse tensors: native

Reads
  0: s csr(float32[4,4], at most 5)  s0  100 B
  1: v float32[4,2]  s1  32 B

Writes
  0: y float32[4,2]  s2  32 B

Decisions
  storage: n0 made with reference csr + dense: It is computed as its tensors are kept, by reference csr + dense.
)"},
    {Shared, "outputs=shared", "value q", R"(
value q

Findings
  warning output-aliasing: Outputs 'p' and 'q' share bytes [0, 64) during steps [1, 2): writing to one changes the other.

What it is
  Type: float32[16]
  Role: output
  Logical: 64
  Required: 64
  Visible: the caller can look at it

Where and when
  Storage: s1, cpu [0x0, 0x40)
  Offset: 0
  Live steps: [1, 2)
  Shares as: identity

What writes and reads it
  Written by: b (Identity, step 1)
  Graph output: 1

Shares its storage with
  [0, 2): p

Decisions
  identity: made with p: 'q' repeats the bytes of 'p', and nothing writes them while either is read.
)"},
    {Shared, "outputs=shared", "finding 0", R"(
finding output-aliasing

warning
  What: Outputs 'p' and 'q' share bytes [0, 64) during steps [1, 2): writing to one changes the other.
  Rule: Two outputs that the user takes for copies have bytes of their own.
  To mend it: The policy outputs=independent gives each output bytes of its own.
  Steps: [1, 2)
  Bytes: [0x0, 0x40)

What it names
  Value: p
  Value: q
  Node: a (Relu, step 0)
  Node: b (Identity, step 1)
)"},
    {Nested, "", "node i", R"(
node i

What it is
  Operator: If
  Step: [0, 6)
  Implementation: reference
  Nested graph: then_branch
  Nested graph: else_branch

Reads
  0: k bool[]  s0  1 B

Writes
  0: y float32[16]  s2  64 B

Decisions
  hand-over: y made with i/then_branch/t: 'i' hands 'i/then_branch/t' over as 'y', and nothing needs 'i/then_branch/t' any more: it stays where it is.
  hand-over: y made with i/else_branch/e: 'i' hands 'i/else_branch/e' over as 'y', and nothing needs 'i/else_branch/e' any more: it stays where it is.
)"},
    {Nested, "", "value i/then_branch/t", R"(
value i/then_branch/t

What it is
  Type: float32[16]
  Role: intermediate
  Logical: 64
  Required: 64

Where and when
  Storage: s2, cpu [0x0, 0x40)
  Offset: 0
  Live steps: [1, 3)

What writes and reads it
  Written by: i/then_branch/a (Relu, step 1)

Shares its storage with
  [2, 3) [4, 6): y, identity
  [3, 5): i/else_branch/e

Decisions
  in-place: refused with x: The bytes of 'x' are not the plan's to share.
  hand-over: made with y: 'i' hands 'i/then_branch/t' over as 'y', and nothing needs 'i/then_branch/t' any more: it stays where it is.
)"},
};

} // namespace plimsoll::test
