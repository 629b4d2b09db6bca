#include "core/lower/types/infer_types.h"

#include "core/graph/shape_text.h"
#include "core/lower/types/inference_pass.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr std::int64_t LargestAssumption = 1024;
constexpr std::size_t MostSymbols = 12; ///< That are tried one by one.

using Assumptions = std::map<std::string, std::int64_t>;

/// Sets of sizes to assume where those of bindDims cannot be: powers of two, for one symbol and then for all of them.
std::vector<Assumptions> otherAssumptions(const BoundDims& bound)
{
    std::vector<Assumptions> sets;
    for (std::int64_t size = 1; size <= LargestAssumption; size *= 2) {
        Assumptions all;
        for (const Binding& binding : bound.bindings) {
            if (!binding.assumed) continue;
            all[binding.dim] = size;
            if (all.size() <= MostSymbols) sets.push_back({{binding.dim, size}});
        }
        sets.push_back(std::move(all));
    }
    return sets;
}

struct Attempt
{
    BoundDims bound;
    InferencePass pass;
};

/// A graph whose free sizes cannot be those (a window wider than the signal) gets the first other sizes that can be.
/// Where none can, what fails is left open. An Error if it fails for all sizes.
Result<Attempt> attemptOtherSizes(const Graph& graph, const InferenceRequest& request, const BoundDims& bound,
                                  const Context& context)
{
    InferencePass open(graph, leaveOpen(graph, request, bound), context);
    PLIMSOLL_TRY(open.run());
    for (const Assumptions& assumptions : otherAssumptions(bound)) {
        PLIMSOLL_ASSIGN(other, bindDims(graph, request, assumptions));
        Attempt attempt {other, InferencePass(graph, other, context)};
        const Status status = attempt.pass.run();
        if (status.ok()) return attempt;
        if (status.error().code == ErrorCode::Stopped) return status.error();
    }
    Attempt attempt {bound, InferencePass(graph, bound, context)};
    attempt.pass.tolerate();
    PLIMSOLL_TRY(attempt.pass.run());
    return attempt;
}

Result<Attempt> attempt(const Graph& graph, const InferenceRequest& request, const Context& context)
{
    PLIMSOLL_ASSIGN(bound, bindDims(graph, request));
    Attempt first {bound, InferencePass(graph, bound, context)};
    const Status status = first.pass.run();
    if (status.ok()) return first;
    const auto assumed = [](const Binding& binding) { return binding.assumed; };
    const bool final = status.error().code == ErrorCode::Stopped || std::ranges::none_of(bound.bindings, assumed);
    if (final) return status.error();
    return attemptOtherSizes(graph, request, bound, context);
}

Result<InferredGraph> infer(const Graph& graph, const InferenceRequest& request, const Context& context)
{
    PLIMSOLL_ASSIGN(found, attempt(graph, request, context));
    // A contradiction may come from a size that was only assumed, or from one that the user replaced in an input. It
    // counts where it follows without them.
    if (found.pass.contradiction() && found.bound.certain) return *found.pass.contradiction();
    if (found.pass.contradiction()) {
        InferencePass open(graph, leaveOpen(graph, request, found.bound), context);
        PLIMSOLL_TRY(open.run());
        if (open.contradiction()) return *open.contradiction();
    }
    InferredGraph inferred = found.pass.take();
    // A bound is about a sparse tensor, and which are sparse may follow from the operators.
    for (const auto& [name, most] : request.maxStored) {
        const TensorType& type = inferred.graph[findValue(inferred.graph, name)].type;
        if (type.isSparse()) continue;
        return Error {ErrorCode::BadUsage, say("types.not-sparse", describe(type)), "bound of '" + name + "'", {}};
    }
    inferred.bindings = std::move(found.bound.bindings);
    return inferred;
}

/// Its file gives a size to every value, and no node computes anything that could contradict it: a table of buffers.
bool isSettled(const Graph& graph, const InferenceRequest& request)
{
    if (request != InferenceRequest()) return false;
    const auto computes = [](const Node& node) {
        const OpSchema* schema = findSchema(node.domain, node.op);
        return !node.bodies.empty() || !schema || schema->computes || schema->infer;
    };
    const auto isDense = [](const Value& value) {
        return value.type.kind == TypeKind::Tensor && !value.type.isSparse() && value.type.bytes();
    };
    return std::ranges::all_of(graph.values, isDense) && std::ranges::none_of(graph.nodes, computes);
}

/// A graph that is fine without the sizes that were given is not what is wrong.
Error blamed(Error error, const Graph& graph, const InferenceRequest& request, const Context& context)
{
    if (error.code != ErrorCode::BadInput || (request.dims.empty() && request.shapes.empty())) return error;
    InferenceRequest without = request;
    without.dims.clear();
    without.shapes.clear();
    if (!infer(graph, without, context).ok()) return error;
    word::List given; // "seq_len=128, x=1x16": as options give them
    for (const auto& [symbol, size] : request.dims)
        given.items.emplace_back(symbol + "=" + std::to_string(size));
    for (const auto& [input, shape] : request.shapes)
        given.items.emplace_back(input + "=" + shapeText(shape));
    error.code = ErrorCode::BadUsage;
    error.message = say("given-sizes", std::move(error.message), std::move(given));
    return error;
}

} // namespace

Result<InferredGraph> inferTypes(const Graph& graph, const InferenceRequest& request, const Context& context)
{
    if (isSettled(graph, request)) return InferredGraph {graph, {}, {}, {}, {}};
    auto result = infer(graph, request, context);
    if (result.ok()) return result;
    Error error = blamed(result.error(), graph, request, context);
    if (error.file.empty()) error.file = graph.file.path.string();
    return error;
}

} // namespace plimsoll
