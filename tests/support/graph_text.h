#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace plimsoll::test {

/// A graph from a few lines, so that a test shows its case instead of building it:
///
///     graph residual                     the name; optional, "test" otherwise
///     opset 21                           default 21; "opset com.microsoft 1" for other domains
///     input x float32[batch,4]           dims: a number, a symbol, "?"; "float32[...]" has no known rank
///     param w float32[4,4]
///     input s float32[4,4]@csr:5         a sparse tensor that keeps 5 elements at most; "@row_sparse" says no number
///     const k int64[2] = 1 2             numbers row by row; without "=" it has no data
///     a: y = Relu(x)                     node name, outputs, operator, inputs; the name may be left out: "y = Relu(x)"
///     b: p, _ = Split(y, _) axis=1       "_" is an absent input or an output that nobody names
///     c: q = com.microsoft::Foo(p) alpha=0.5 mode="same" pads=[0,1] scale=[1.0,2.0] t=int64[2]{3,4}
///     d: r = my::Op(q) alias=0:in-place:0 ignores=[0]
///     value q float32[2]                 the type of a value, where nothing infers it
///     value q float32[2] strides=[4]     how the elements of a view, or of what it becomes, lie
///     e: z = If(k)
///     body then_branch                   a nested graph of the node above it
///       t: u = Relu(x)
///       output u
///     end
///     output z y y                       any number of times; of the innermost open body
///     grad x w                           inputs and parameters that require a gradient
///     loss z
///
/// "#" begins a comment. alias is output:kind:input, or output:view:input:offset in bytes, with kinds fresh, in-place,
/// identity, view, mutates, joined by "+".
[[nodiscard]] Result<Graph> parseGraphText(std::string_view text);

/// The same, for texts that are right: aborts the test program with the error and the line otherwise.
[[nodiscard]] Graph graphFromText(std::string_view text);

/// Small graphs that many tests use.
namespace samples {
/// x → Identity → xc, which the graph hands out twice by two more identities: outputs must stay independent.
extern const std::string_view TwoOutputsOneStorage;
/// Two convolutions with a kept skip; the last Relu can be in-place.
extern const std::string_view Residual;
/// If with a captured value; each branch writes the result.
extern const std::string_view Branches;
/// Loop with one carried state, one captured weight and one scan output.
extern const std::string_view CarriedLoop;
/// a → b → c → d, each of 1 KiB, each read once.
extern const std::string_view Chain;
} // namespace samples

} // namespace plimsoll::test
