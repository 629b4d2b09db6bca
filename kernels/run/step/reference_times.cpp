#include "kernels/run/step/reference_times.h"

#include "core/base/stopwatch.h"
#include "core/lower/choose/sparse_offers.h"
#include "core/lower/fold.h"
#include "core/ops/sparse_rules.h"
#include "kernels/answers.h"
#include "kernels/reference/special/sparse_kernels.h"
#include "kernels/run/memory/sparse_values.h"
#include "kernels/run/step/digest.h"
#include "kernels/run/step/element_values.h"
#include "kernels/run/step/node_call.h"
#include "kernels/tensor_view.h"
#include "kernels/typical_time.h"

namespace plimsoll::kernels {
namespace {

/// Executed several times into the same bytes, so that no time goes to memory that was never touched.
class RepeatedCall : public TrialCall
{
public:
    using TrialCall::TrialCall;
    [[nodiscard]] Result<TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        const auto made = m_made.find(index);
        const bool fits = made != m_made.end() && made->second.dtype == dtype && made->second.shape == shape;
        if (!fits) PLIMSOLL_TRY(keep(index, TrialCall::output(index, dtype, shape)));
        return m_made.at(index);
    }
    [[nodiscard]] Status announce(const Effort& effort) const override
    {
        return checkTime({.seconds = LongestReferenceMs / 1000}, effort); // each time anew
    }

private:
    Status keep(std::size_t index, const Result<TensorView>& made)
    {
        if (!made.ok()) return made.error();
        m_made[index] = made.value();
        return {};
    }

    std::map<std::size_t, TensorView> m_made;
};

class ReferenceTimer
{
public:
    ReferenceTimer(const Graph& graph, Catalogue& catalogue)
        : m_graph(graph), m_catalogue(catalogue), m_uses(findUses(graph)), m_externals(graph, {}, 1),
          m_memory(m_externals)
    {
    }

    void measure(NodeId node)
    {
        const Node& info = m_graph[node];
        if (m_graph.decided[node].ahead || !info.bodies.empty()) return;
        Implementation reference = expected(node);
        if (reference.timeMs > LongestReferenceMs) return;
        Question question = questionAbout({m_graph, m_uses, m_noLayouts}, node, {});
        const std::vector<Implementation>* known = m_answers.find(question);
        if (!known) {
            reference.timeMs = typicalMs(node);
            reference.provenance = "measured";
            m_answers.keep(std::move(question), {reference});
        } else {
            reference = known->front();
        }
        if (reference.timeMs >= 0) put(node, reference);
    }

private:
    /// As it is listed, or as it would be.
    [[nodiscard]] Implementation expected(NodeId node) const
    {
        const std::vector<Implementation> native =
            touchesSparse(m_graph, node) ? nativeOffers(m_graph, node, {}) : std::vector<Implementation> {};
        Implementation reference = native.empty() ? Implementation {} : native.front();
        const auto offers = m_catalogue.offers.find(m_graph[node].name);
        if (offers == m_catalogue.offers.end()) return reference;
        for (const Implementation& offer : offers->second) {
            if (offer.backend == reference.backend && isDense(offer) == isDense(reference)) reference = offer;
        }
        return reference;
    }

    void put(NodeId node, const Implementation& reference)
    {
        std::vector<Implementation>& offers = m_catalogue.offers[m_graph[node].name];
        std::erase_if(offers, [&](const Implementation& offer) {
            return offer.backend == reference.backend && isDense(offer) == isDense(reference);
        });
        offers.push_back(reference);
    }

    /// -1 where it cannot be executed here.
    [[nodiscard]] double typicalMs(NodeId node)
    {
        const Node& info = m_graph[node];
        const bool sparse = touchesSparse(m_graph, node);
        const bool native = sparse && !nativeOffers(m_graph, node, {}).empty();
        const KernelFunction kernel = !sparse  ? findReferenceKernel(info.domain, info.op)
                                      : native ? findSparseKernel(info.domain, info.op)
                                               : nullptr;
        RepeatedCall call(m_memory, node, 1);
        if (!kernel) return -1;
        for (std::size_t i = 0; i < info.inputs.size(); ++i) {
            if (!info.inputs[i].valid()) continue;
            auto value = contentOf(info.inputs[i]);
            if (!value.ok()) return -1;
            call.replaceInput(i, std::move(value).value());
        }
        return typicalTime([&] { return onceMs(call, kernel); });
    }

    static double onceMs(RepeatedCall& call, KernelFunction kernel)
    {
        const Stopwatch watch;
        if (!callKernel(call, kernel).ok()) return -1;
        return watch.ms();
    }

    /// Known numbers where they may be shapes or positions; weights are drawn as all else is, and not read from
    /// their file.
    Result<RuntimeValue> contentOf(ValueId value)
    {
        const Value& info = m_graph[value];
        const bool isWeight = isFloatingPoint(info.type.dtype) && info.role != ValueRole::Constant;
        if (info.data->present() && !isWeight) {
            PLIMSOLL_TRY(m_externals.load(value));
            return *m_externals.find(value);
        }
        const auto shape = info.type.shape();
        if (info.type.kind != TypeKind::Tensor || !shape || info.type.dtype == DType::Unknown)
            return Error {ErrorCode::Unsupported, say("run.unknown-type"), {}, {}};
        Digest seed(static_cast<std::uint64_t>(value.number()));
        if (info.type.isSparse()) return drawSparse(info.type, seed.value());
        PLIMSOLL_ASSIGN(tensor, allocateTensor(info.type.dtype, *shape));
        fillFromSeed(tensor.view(), seed.value());
        return tensorValue(std::move(tensor));
    }

    const Graph& m_graph;
    Catalogue& m_catalogue;
    const Uses m_uses;
    const SeenLayouts m_noLayouts {};
    ExternalValues m_externals;
    Memory m_memory; ///< In which nothing is placed: all inputs and outputs are handed to the calls.
    Answers m_answers;
};

} // namespace

void measureReference(const InferredGraph& inferred, Catalogue& catalogue, const Context& context)
{
    const Graph graph = fold(inferred, FoldPolicy::Shapes, {});
    ReferenceTimer timer(graph, catalogue);
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        context.report("reference", static_cast<double>(i) / static_cast<double>(graph.nodes.size()));
        timer.measure(NodeId(i));
    }
}

} // namespace plimsoll::kernels
