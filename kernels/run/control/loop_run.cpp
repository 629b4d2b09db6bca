#include "kernels/run/control/loop_run.h"

#include "core/ops/op_schema.h"
#include "kernels/run/control/scan_slices.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace plimsoll::kernels {
namespace {

using Kind = BodyLink::Kind;
constexpr std::int64_t Unbounded = std::numeric_limits<std::int64_t>::max();

std::int64_t listItem(const Node& node, std::string_view attribute, std::int64_t index)
{
    const auto* list = findAttribute<std::vector<std::int64_t>>(node, attribute);
    return list && index >= 0 && static_cast<std::size_t>(index) < list->size()
               ? (*list)[static_cast<std::size_t>(index)]
               : 0;
}

class LoopRun
{
public:
    explicit LoopRun(OwnerRun& run)
        : m_run(run), m_body(run.node().bodies.front()), m_links(bodyLinks(run.graph(), run.owner, m_body)),
          m_traits(bodyTraits(run.graph(), run.owner)),
          m_batched(m_traits.batched && m_traits.batched(run.graph(), run.node()))
    {
    }

    Status run()
    {
        PLIMSOLL_TRY(m_run.beginEnter());
        PLIMSOLL_TRY(measure());
        for (const BodyLink& link : m_links)
            PLIMSOLL_TRY(openStack(link));
        for (m_batch = 0; m_batch < m_batches; ++m_batch) {
            if (m_batch > 0) PLIMSOLL_TRY(m_run.beginEnter());
            PLIMSOLL_TRY(enter());
            m_run.lockstep.endStep();
            PLIMSOLL_TRY(iterate());
        }
        PLIMSOLL_TRY(m_run.beginExit());
        PLIMSOLL_TRY(exit());
        m_run.endExit();
        return {};
    }

private:
    struct Opened
    {
        const BodyLink* link;
        Stack stack;
    };

    [[nodiscard]] ValueId bodyInput(const BodyLink& link) const
    {
        return at(m_run.graph()[m_body].inputs, link.bodyInput);
    }
    [[nodiscard]] ValueId bodyOutput(const BodyLink& link) const
    {
        return at(m_run.graph()[m_body].outputs, link.bodyOutput);
    }
    static ValueId at(const std::vector<ValueId>& values, int index)
    {
        return index < 0 || static_cast<std::size_t>(index) >= values.size() ? ValueId {}
                                                                             : values[static_cast<std::size_t>(index)];
    }
    /// Position of a scan input or output among those of its kind.
    [[nodiscard]] std::int64_t scanIndex(const BodyLink& link) const
    {
        return std::count_if(m_links.data(), &link, [&](const BodyLink& other) { return other.kind == link.kind; });
    }

    /// How many iterations at most, and how many elements the batch of Scan-8 has.
    Status measure()
    {
        bool counted = false;
        for (const BodyLink& link : m_links) {
            const RuntimeValue& outer = m_run.lockstep.oracle().value(m_run.input(link.ownerInput));
            if (link.kind == Kind::Iteration && outer.kind == RuntimeValue::Kind::Tensor &&
                outer.tensor.elements() > 0) {
                m_limit = readInteger(outer.tensor, 0);
                counted = true;
            }
            if (link.kind == Kind::ScanInput) counted = measureScan(link, outer) || counted;
        }
        if (!counted && !m_traits.endless) {
            return Error {ErrorCode::BadInput, "There is nothing to scan.", "node '" + m_run.node().name + "'", {}};
        }
        return {};
    }

    /// Whether the input says how many iterations there are.
    bool measureScan(const BodyLink& link, const RuntimeValue& outer)
    {
        if (outer.kind == RuntimeValue::Kind::Sequence) {
            m_limit = std::min(m_limit, static_cast<std::int64_t>(outer.sequence.size()));
            return true;
        }
        if (outer.kind != RuntimeValue::Kind::Tensor || isWhole(outer)) return false;
        const Shape& shape = outer.tensor.shape;
        const std::int64_t axis = m_batched ? 1 : inputAxis(link);
        const std::int64_t normal = axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis;
        if (normal < 0 || normal >= static_cast<std::int64_t>(shape.size())) return false;
        m_limit = std::min(m_limit, shape[static_cast<std::size_t>(normal)]);
        if (m_batched) m_batches = shape[0];
        return true;
    }

    [[nodiscard]] bool isWhole(const RuntimeValue& outer) const
    {
        return m_traits.sequences && outer.kind == RuntimeValue::Kind::Tensor;
    }
    [[nodiscard]] std::int64_t inputAxis(const BodyLink& link) const
    {
        return listItem(m_run.node(), "scan_input_axes", scanIndex(link));
    }
    [[nodiscard]] SliceLayout inputLayout(const BodyLink& link) const
    {
        const std::string_view directions = m_batched ? "directions" : "scan_input_directions";
        const bool reverse = listItem(m_run.node(), directions, scanIndex(link)) == 1;
        if (m_batched) return {0, {m_batches, m_limit}, false};
        return {inputAxis(link), {m_limit}, reverse};
    }
    [[nodiscard]] SliceLayout outputLayout(const BodyLink& link) const
    {
        if (link.kind == Kind::Carried) return {0, {m_batches}, false};
        if (m_batched) return {0, {m_batches, m_limit}, false};
        const bool reverse = listItem(m_run.node(), "scan_output_directions", scanIndex(link)) == 1;
        return {listItem(m_run.node(), "scan_output_axes", scanIndex(link)), {m_limit}, reverse};
    }

    /// Slice of the batch's element and iteration; Scan-8 counts reversed sequences from the end of their own length.
    [[nodiscard]] std::int64_t sliceIndex(const BodyLink& link, std::int64_t iteration) const
    {
        if (!m_batched) return iteration;
        const bool reverse = link.kind == Kind::ScanInput && listItem(m_run.node(), "directions", scanIndex(link)) == 1;
        return m_batch * m_limit + (reverse ? iterationLimit() - 1 - iteration : iteration);
    }

    [[nodiscard]] std::int64_t iterationLimit() const
    {
        const RuntimeValue& lengths = m_run.lockstep.oracle().value(m_run.input(0));
        const bool given =
            m_batched && lengths.kind == RuntimeValue::Kind::Tensor && m_batch < lengths.tensor.elements();
        return given ? std::clamp<std::int64_t>(readInteger(lengths.tensor, m_batch), 0, m_limit) : m_limit;
    }

    Status openStack(const BodyLink& link)
    {
        if (!m_run.output(link.ownerOutput).valid()) return {};
        if (link.kind == Kind::ScanOutput) {
            m_stacks.push_back({&link, Stack(m_run.lockstep, m_run.output(link.ownerOutput), outputLayout(link))});
            return m_stacks.back().stack.begin(m_batched);
        }
        if (link.kind == Kind::Carried && m_batched) {
            m_stacks.push_back({&link, Stack(m_run.lockstep, m_run.output(link.ownerOutput), outputLayout(link))});
        }
        return {};
    }

    Status enter()
    {
        std::vector<Lockstep::Move> moves;
        for (const BodyLink& link : m_links) {
            const ValueId from = m_run.input(link.ownerInput);
            const ValueId to = bodyInput(link);
            if (!to.valid() || link.kind == Kind::ScanInput) continue;
            if (link.kind == Kind::Carried && m_batched)
                PLIMSOLL_TRY(enterBatch(link));
            else if (from.valid() && (link.kind == Kind::Carried || link.kind == Kind::Condition))
                moves.push_back({from, to});
        }
        PLIMSOLL_TRY(m_run.lockstep.move(moves));
        m_condition = true;
        for (const BodyLink& link : m_links) {
            if (link.kind != Kind::Condition) continue;
            m_condition = truthOf(m_run.lockstep.oracle().value(m_run.input(link.ownerInput)), true);
            if (!m_run.input(link.ownerInput).valid() && bodyInput(link).valid())
                PLIMSOLL_TRY(writeNumber(bodyInput(link), DType::Bool, 1));
        }
        return feed(0);
    }

    /// The state of one element of the batch. All of it is kept from the first Enter on: nobody promises that the
    /// owner's input lives longer.
    Status enterBatch(const BodyLink& link)
    {
        const ValueId from = m_run.input(link.ownerInput);
        if (m_batch == 0) {
            m_states.insert_or_assign(from, std::pair(cloneValue(m_run.lockstep.oracle().value(from)),
                                                      cloneValue(m_run.lockstep.planned().value(from))));
        }
        const auto& [oracle, planned] = m_states.at(from);
        return m_run.lockstep.write(bodyInput(link), [&](World& world) {
            const bool isOracle = &world == &m_run.lockstep.oracle();
            return takeSlice(world, isOracle ? oracle : planned, {0, {m_batches}, false}, m_batch, bodyInput(link));
        });
    }

    Status iterate()
    {
        const std::int64_t limit = iterationLimit();
        for (std::int64_t iteration = 0; iteration < limit && m_condition; ++iteration) {
            if (!m_run.budget.take(m_run.graph(), m_body)) {
                m_run.budget.noteCut(m_run.owner, iteration);
                m_cut = true;
                break;
            }
            if (m_batched) m_run.lockstep.pushIteration(m_batch);
            m_run.lockstep.pushIteration(iteration);
            PLIMSOLL_TRY(m_run.runBody(m_body));
            PLIMSOLL_TRY(m_run.beginLeave(m_body));
            PLIMSOLL_TRY(leave(iteration, limit));
            m_run.endLeave(m_body);
            m_run.lockstep.popIteration();
            if (m_batched) m_run.lockstep.popIteration();
        }
        for (Opened& opened : m_stacks) {
            if (opened.link->kind == Kind::Carried) PLIMSOLL_TRY(opened.stack.add(bodyInput(*opened.link), m_batch));
        }
        return {};
    }

    Status leave(std::int64_t iteration, std::int64_t limit)
    {
        std::vector<Lockstep::Move> moves;
        for (Opened& opened : m_stacks) {
            if (opened.link->kind == Kind::ScanOutput)
                PLIMSOLL_TRY(opened.stack.add(bodyOutput(*opened.link), sliceIndex(*opened.link, iteration)));
        }
        for (const BodyLink& link : m_links) {
            if (link.kind == Kind::Condition)
                m_condition = truthOf(m_run.lockstep.oracle().value(bodyOutput(link)), true);
            if (link.kind != Kind::Carried && link.kind != Kind::Condition) continue;
            if (bodyInput(link).valid() && bodyOutput(link).valid())
                moves.push_back({bodyOutput(link), bodyInput(link)});
        }
        PLIMSOLL_TRY(m_run.lockstep.move(moves));
        return iteration + 1 < limit && m_condition ? feed(iteration + 1) : Status {};
    }

    /// Iteration number and slices for the iteration that comes next.
    Status feed(std::int64_t iteration)
    {
        for (const BodyLink& link : m_links) {
            const ValueId to = bodyInput(link);
            if (!to.valid()) continue;
            if (link.kind == Kind::Iteration) PLIMSOLL_TRY(writeNumber(to, DType::Int64, iteration));
            if (link.kind == Kind::ScanInput && iteration < iterationLimit()) PLIMSOLL_TRY(feedSlice(link, iteration));
        }
        return {};
    }

    Status feedSlice(const BodyLink& link, std::int64_t iteration)
    {
        const ValueId from = m_run.input(link.ownerInput);
        return m_run.lockstep.write(bodyInput(link), [&](World& world) -> Status {
            const RuntimeValue& outer = world.value(from);
            if (outer.kind == RuntimeValue::Kind::Tensor && !isWhole(outer)) {
                return takeSlice(world, outer, inputLayout(link), sliceIndex(link, iteration), bodyInput(link));
            }
            const bool isElement = outer.kind == RuntimeValue::Kind::Sequence &&
                                   static_cast<std::size_t>(iteration) < outer.sequence.size();
            if (!isElement && !isWhole(outer))
                return Error {ErrorCode::BadInput, "There is nothing to scan.", "node '" + m_run.node().name + "'", {}};
            const TensorView source =
                isElement ? outer.sequence[static_cast<std::size_t>(iteration)].view() : outer.tensor;
            PLIMSOLL_ASSIGN(target, world.produce(bodyInput(link), source.dtype, source.shape));
            copyTensor(source, target);
            return {};
        });
    }

    Status writeNumber(ValueId target, DType dtype, std::int64_t number)
    {
        const Shape shape = m_run.graph()[target].type.shape().value_or(Shape {});
        return m_run.lockstep.write(target, [&](World& world) -> Status {
            PLIMSOLL_ASSIGN(view, world.produce(target, dtype, shape));
            if (view.elements() < 1) return {};
            if (dtype == DType::Bool)
                *view.as<std::uint8_t>() = number != 0;
            else
                std::memcpy(view.data, &number, sizeof number);
            return {};
        });
    }

    Status exit()
    {
        std::vector<Lockstep::Move> moves;
        for (const BodyLink& link : m_links) {
            if (link.kind != Kind::Carried || m_batched || !m_run.output(link.ownerOutput).valid()) continue;
            moves.push_back({bodyInput(link), m_run.output(link.ownerOutput)});
        }
        PLIMSOLL_TRY(m_run.lockstep.move(moves));
        for (Opened& opened : m_stacks)
            PLIMSOLL_TRY(opened.stack.finish(m_traits.sequences, m_cut));
        return {};
    }

    OwnerRun& m_run;
    BodyId m_body;
    std::vector<BodyLink> m_links;
    const BodyTraits& m_traits;
    bool m_batched;
    std::int64_t m_batches = 1;
    std::int64_t m_batch = 0;
    std::int64_t m_limit = Unbounded;
    bool m_condition = true;
    bool m_cut = false; ///< It was ended before it was over.
    std::vector<Opened> m_stacks;
    std::map<ValueId, std::pair<RuntimeValue, RuntimeValue>> m_states; ///< Scan-8: oracle's and planned run's.
};

} // namespace

Status runLoop(OwnerRun& run)
{
    if (run.node().bodies.empty()) {
        return Error {ErrorCode::BadInput, "The loop has no body.", "node '" + run.node().name + "'", {}};
    }
    return LoopRun(run).run();
}

} // namespace plimsoll::kernels
