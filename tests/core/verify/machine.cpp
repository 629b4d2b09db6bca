#include "tests/core/verify/machine.h"
#include "core/facts/english/english.h"

#include "core/graph/graph_builder.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace plimsoll::test {
namespace {

constexpr std::int64_t Slice = 64;
constexpr std::int64_t Margin = 4096; ///< Before and behind the arena, for plans that leave it.

using Bytes = std::vector<std::uint8_t>;

std::uint64_t hashOf(const Bytes& bytes, std::uint64_t seed)
{
    std::uint64_t hash = 1469598103934665603ULL ^ (seed * 0x9E3779B97F4A7C15ULL);
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 1099511628211ULL;
    return hash;
}

Bytes noise(std::uint64_t seed, std::size_t size)
{
    std::mt19937_64 generator(seed);
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(generator() >> 13);
    return bytes;
}

class Machine
{
public:
    Machine(const Graph& graph, const MemoryMap& map, RunChoice choice) : m_graph(graph), m_map(map), m_choice(choice)
    {
        std::int64_t size = 0;
        for (const ValuePlacement& value : map.values)
            size = std::max(size, value.offset);
        m_memory.assign(static_cast<std::size_t>(size + 2 * Margin), 0xAA);
        m_external.resize(graph.values.size());
        m_used.assign(graph.values.size(), -1);
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            if (!map.values[i].placed()) m_external[i] = noise(i, size_t(sizeOf(ValueId(i))));
        }
    }

    std::vector<std::uint64_t> run()
    {
        runBody(TopBody);
        for (const ValueId output : m_graph.top().outputs)
            (void)read(output);
        return std::move(m_trace);
    }

private:
    struct Copy
    {
        ValueId target;
        ValueId source;        ///< Invalid: the target gets a hash of all reads.
        std::int64_t from = 0; ///< First byte of the source.
        std::int64_t to = 0;   ///< First byte in the target.
        std::int64_t bytes = 0;
        bool stays = false;   ///< Lies exactly on its source and keeps it.
        bool inPlace = false; ///< Lies exactly on some input that it may replace, byte by byte.
        ValueId over;
    };

    std::int64_t sizeOf(ValueId value) const { return m_graph[value].type.bytes().value_or(0); }
    std::int64_t used(ValueId value) const
    {
        return m_used[value.index()] >= 0 ? m_used[value.index()] : sizeOf(value);
    }
    bool placed(ValueId value) const { return m_map.values[value.index()].placed(); }
    std::int64_t offset(ValueId value) const { return m_map.values[value.index()].offset; }

    Bytes peek(ValueId value, std::int64_t from, std::int64_t bytes) const
    {
        if (!placed(value)) {
            const auto begin = m_external[value.index()].begin() + from;
            return {begin, begin + bytes};
        }
        const auto begin = m_memory.begin() + Margin + offset(value) + from;
        return {begin, begin + bytes};
    }

    const Bytes& read(ValueId value)
    {
        m_last = peek(value, 0, used(value));
        m_trace.push_back(hashOf(m_last, 0));
        return m_last;
    }

    void poke(ValueId value, std::int64_t to, const Bytes& bytes)
    {
        if (placed(value)) std::copy(bytes.begin(), bytes.end(), m_memory.begin() + Margin + offset(value) + to);
    }

    /// All that one step does: \p reads in full, then \p copies at once.
    void step(std::uint64_t seed, std::span<const ValueId> reads, const std::vector<Copy>& copies)
    {
        std::vector<Bytes> early(m_graph.values.size());
        const auto keep = [&](ValueId value) {
            if (value.valid() && early[value.index()].empty()) early[value.index()] = peek(value, 0, used(value));
        };
        for (const Copy& copy : copies) {
            if (copy.inPlace) keep(copy.over);
            if (copy.stays) keep(copy.source);
            keep(copy.target); // Loop state that is also handed on.
        }
        for (const Copy& copy : copies) {
            if (!copy.stays) poke(copy.target, copy.to, noise(++m_noise, static_cast<std::size_t>(copy.bytes)));
        }
        std::uint64_t digest = seed;
        std::vector<Bytes> contents(m_graph.values.size());
        const auto load = [&](ValueId value) {
            const bool wasTarget =
                std::any_of(copies.begin(), copies.end(), [&](const Copy& c) { return c.target == value; });
            const bool given = !early[value.index()].empty() && (wasTarget || isOver(copies, value));
            contents[value.index()] = given ? early[value.index()] : peek(value, 0, used(value));
        };
        for (const ValueId value : reads) {
            load(value);
            digest = hashOf(contents[value.index()], digest);
            m_trace.push_back(digest);
        }
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const Copy& copy = copies[i];
            if (copy.stays) continue;
            if (!copy.source.valid()) {
                poke(copy.target, copy.to, noise(digest + i, static_cast<std::size_t>(copy.bytes)));
                continue;
            }
            const Bytes& from = contents[copy.source.index()];
            poke(copy.target, copy.to, Bytes(from.begin() + copy.from, from.begin() + copy.from + copy.bytes));
        }
    }

    static bool isOver(const std::vector<Copy>& copies, ValueId value)
    {
        return std::any_of(copies.begin(), copies.end(), [&](const Copy& c) {
            return (c.inPlace && c.over == value) || (c.stays && c.source == value);
        });
    }

    bool sameBytes(ValueId a, ValueId b, std::int64_t shift) const
    {
        return placed(a) && placed(b) && offset(a) == offset(b) + shift;
    }

    /// A copy from one value to another that may stay where it is.
    Copy transfer(ValueId target, ValueId source) const
    {
        Copy copy {target, source, 0, 0, used(target)};
        copy.stays = sameBytes(target, source, 0);
        return copy;
    }

    void runNode(NodeId id)
    {
        const Node& node = m_graph[id];
        std::vector<Copy> copies;
        for (const ValueId output : node.outputs)
            copies.push_back({output, {}, 0, 0, sizeOf(output)});
        for (const AliasTrait& trait : aliasTraits(m_graph, id)) {
            Copy& copy = copies[static_cast<std::size_t>(trait.output)];
            const ValueId input = node.inputs[static_cast<std::size_t>(trait.input)];
            const bool exact = sameBytes(copy.target, input, trait.offsetBytes);
            if (trait.kind == AliasKind::MayBeInPlace) {
                if (exact && !copy.inPlace) copy.inPlace = true, copy.over = input;
                continue;
            }
            copy.source = input;
            copy.from = trait.offsetBytes;
            copy.stays = exact;
        }
        // A view that stays where it is looks at nothing; what it shows is read by its readers.
        const bool onlyViews = node.declared->traits->front().kind == AliasKind::View && copies[0].stays;
        step(static_cast<std::uint64_t>(id.number()) + 1000, onlyViews ? ValueIds() : node.inputs, copies);
    }

    void runIf(NodeId id)
    {
        const Node& node = m_graph[id];
        step(0, node.inputs, {});
        std::mt19937 decided(m_choice.branches * 1009 + static_cast<std::uint32_t>(node.inputs[0].index()));
        const BodyId body = node.bodies[decided() % node.bodies.size()];
        runBody(body);
        std::vector<Copy> copies;
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            copies.push_back(transfer(node.outputs[i], m_graph[body].outputs[i]));
        step(0, m_graph[body].outputs, copies);
    }

    /// Inputs: trips, condition, state. Body: number, condition, state → condition, state, slices.
    void runLoop(NodeId id)
    {
        const Node& node = m_graph[id];
        const Body& body = m_graph[node.bodies[0]];
        const std::size_t states = node.inputs.size() - 2;
        std::vector<Copy> enter = {{body.inputs[0], {}, 0, 0, sizeOf(body.inputs[0])},
                                   transfer(body.inputs[1], node.inputs[1])};
        for (std::size_t i = 0; i < states; ++i)
            enter.push_back(transfer(body.inputs[2 + i], node.inputs[2 + i]));
        step(1, node.inputs, enter);
        for (std::size_t i = states; i < node.outputs.size(); ++i)
            m_used[node.outputs[i].index()] = m_choice.trips * Slice;
        for (int trip = 0; trip < m_choice.trips; ++trip) {
            runBody(node.bodies[0]);
            std::vector<Copy> leave = {{body.inputs[0], {}, 0, 0, sizeOf(body.inputs[0])}};
            for (std::size_t i = 0; i <= states; ++i)
                leave.push_back(transfer(body.inputs[1 + i], body.outputs[i]));
            for (std::size_t i = states; i < node.outputs.size(); ++i) {
                leave.push_back({node.outputs[i], body.outputs[1 + i], 0, trip * Slice, Slice});
            }
            step(2, body.outputs, leave);
        }
        std::vector<Copy> exit;
        std::vector<ValueId> last;
        for (std::size_t i = 0; i < states; ++i) {
            exit.push_back(transfer(node.outputs[i], body.inputs[2 + i]));
            last.push_back(body.inputs[2 + i]);
        }
        step(3, last, exit);
    }

    void runBody(BodyId body)
    {
        for (const NodeId node : m_graph[body].nodes) {
            if (m_graph[node].op == "If")
                runIf(node);
            else if (m_graph[node].op == "Loop")
                runLoop(node);
            else
                runNode(node);
        }
    }

    const Graph& m_graph;
    const MemoryMap& m_map;
    RunChoice m_choice;
    Bytes m_memory;
    std::vector<Bytes> m_external;
    std::vector<std::int64_t> m_used; ///< Bytes of stacked outputs that exist; -1: all.
    std::vector<std::uint64_t> m_trace;
    Bytes m_last;
    std::uint64_t m_noise = 77;
};

class GraphMaker
{
public:
    explicit GraphMaker(std::mt19937& random) : m_random(random) {}

    Graph make()
    {
        const TensorType bytes = TensorType::dense(DType::UInt8, {Slice});
        m_trips = m_builder.addInput("trips", TensorType::dense(DType::Int64, {}));
        m_condition = m_builder.addInput("condition", TensorType::dense(DType::Bool, {}));
        for (int i = 0; i < 4; ++i)
            m_deciders.push_back(m_builder.addInput("decider" + std::to_string(i), TensorType::dense(DType::Bool, {})));
        std::vector<ValueId> values = {m_builder.addInput("x0", bytes), m_builder.addInput("x1", bytes)};
        fill(values, 0);
        for (std::uint32_t i = 0; i < 1 + below(2); ++i)
            m_builder.addOutput(made(values));
        auto graph = std::move(m_builder).build();
        if (!graph.ok()) {
            std::fprintf(stderr, "randomGraph: %s\n", describe(graph.error()).c_str());
            std::abort();
        }
        return std::move(graph).value();
    }

private:
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(m_random() % limit); }
    ValueId any(const std::vector<ValueId>& values) { return values[below(values.size())]; }
    std::string newName(const char* prefix) { return prefix + std::to_string(++m_names); }
    std::int64_t sizeOf(ValueId value) { return m_builder.graph()[value].type.bytes().value_or(0); }

    /// Of a full size, for what must be as large as its partner.
    ValueId whole(const std::vector<ValueId>& values)
    {
        std::vector<ValueId> candidates = values;
        std::erase_if(candidates, [&](ValueId value) { return sizeOf(value) != Slice; });
        return candidates[below(candidates.size())];
    }

    /// Not an input, where there is anything else: outputs of the graph.
    ValueId made(const std::vector<ValueId>& values)
    {
        std::vector<ValueId> candidates = values;
        std::erase_if(candidates, [&](ValueId value) { return m_builder.graph()[value].role == ValueRole::Input; });
        return candidates[below(candidates.size())];
    }

    void fill(std::vector<ValueId>& values, int depth)
    {
        const std::uint32_t count = 2 + below(5);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t kind = depth < 2 ? below(8) : 2 + below(6);
            if (kind == 0)
                addIf(values, depth);
            else if (kind == 1)
                addLoop(values, depth);
            else
                addOp(values);
        }
    }

    void give(ValueId value, std::int64_t size)
    {
        m_builder.graph()[value].type = TensorType::dense(DType::UInt8, {size});
    }

    void addOp(std::vector<ValueId>& values)
    {
        Node node;
        node.op = "Op";
        node.domain = "my";
        ValueIds inputs = {whole(values)};
        const bool external = m_builder.graph()[inputs[0]].role == ValueRole::Input;
        constexpr std::array<AliasKind, 4> Kinds = {AliasKind::Fresh, AliasKind::MayBeInPlace, AliasKind::Identity,
                                                    AliasKind::View};
        AliasKind kind = Kinds[below(Kinds.size())];
        if (external && kind == AliasKind::View) kind = AliasKind::Fresh;
        if (kind != AliasKind::View && below(2) == 0) inputs.push_back(any(values));
        node.declared.edit().traits = {{0, 0, kind, kind == AliasKind::View ? 16 : 0}};
        const NodeId id = m_builder.addNode(std::move(node), inputs, {newName("v")});
        values.push_back(m_builder.output(id, 0));
        give(values.back(), kind == AliasKind::View ? Slice / 2 : Slice);
    }

    void addIf(std::vector<ValueId>& values, int depth)
    {
        Node node;
        node.op = "If";
        const NodeId id = m_builder.addNode(std::move(node), {any(m_deciders)}, {newName("v")});
        for (const char* name : {"then_branch", "else_branch"}) {
            m_builder.openBody(id, name);
            std::vector<ValueId> inner = values;
            fill(inner, depth + 1);
            m_builder.addOutput(whole({inner.end() - 1, inner.end()}, inner));
            m_builder.closeBody();
        }
        values.push_back(m_builder.output(id, 0));
        give(values.back(), Slice);
    }

    ValueId whole(const std::vector<ValueId>& preferred, const std::vector<ValueId>& all)
    {
        return sizeOf(preferred[0]) == Slice ? preferred[0] : whole(all);
    }

    void addLoop(std::vector<ValueId>& values, int depth)
    {
        Node node;
        node.op = "Loop";
        const NodeId id = m_builder.addNode(std::move(node), {m_trips, m_condition, whole(values), whole(values)},
                                            {newName("f"), newName("f"), newName("s")});
        m_builder.openBody(id, "body");
        m_builder.addInput(newName("n"), TensorType::dense(DType::Int64, {}));
        const ValueId condition = m_builder.addInput(newName("c"), TensorType::dense(DType::Bool, {}));
        std::vector<ValueId> inner = values;
        for (int i = 0; i < 2; ++i)
            inner.push_back(m_builder.addInput(newName("a"), TensorType::dense(DType::UInt8, {Slice})));
        fill(inner, depth + 1);
        m_builder.addOutput(condition);
        for (int i = 0; i < 3; ++i)
            m_builder.addOutput(whole(inner));
        m_builder.closeBody();
        for (std::size_t i = 0; i < 3; ++i) {
            values.push_back(m_builder.output(id, i));
            give(values.back(), i == 2 ? 3 * Slice : Slice);
        }
    }

    std::mt19937& m_random;
    GraphBuilder m_builder {"random"};
    ValueId m_trips;
    ValueId m_condition;
    std::vector<ValueId> m_deciders;
    int m_names = 0;
};

} // namespace

std::vector<std::uint64_t> runOnMachine(const Graph& graph, const MemoryMap& map, RunChoice choice)
{
    return Machine(graph, map, choice).run();
}

Graph randomGraph(std::mt19937& random)
{
    return GraphMaker(random).make();
}

} // namespace plimsoll::test
