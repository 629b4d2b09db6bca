#include "core/formats/packing/packing_graph.h"

#include "core/base/bytes.h"
#include "core/base/give_back.h"
#include "core/base/narrow.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/graph/validate.h"

#include <algorithm>
#include <compare>
#include <span>
#include <type_traits>

namespace plimsoll {
namespace {

/// One live interval of a buffer: a value of its own.
struct Piece
{
    std::int32_t buffer = 0; ///< Position in the table.
    std::int32_t number = 0; ///< Among the pieces of its buffer.
    Interval life;
    std::int64_t bytes = 0; ///< What never lives takes none.
    std::int64_t alignment = 1;

    [[nodiscard]] std::size_t row() const { return static_cast<std::size_t>(buffer); }
};

/// A piece that is seen by a node for the last time. By node, then in the order of the pieces.
struct LastRead
{
    NodeId node;
    std::int32_t piece = 0;
    ValueId value {}; ///< Its own.
    friend auto operator<=>(const LastRead&, const LastRead&) = default;
};

/// In order of the table; what never lives is one empty piece.
std::vector<Piece> piecesOf(const Problem& problem)
{
    std::vector<Piece> pieces;
    pieces.reserve(problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const auto buffer = narrow<std::int32_t>(i);
        const Buffer& row = problem.buffers[i];
        const auto intervals = row.live.intervals();
        if (intervals.empty()) pieces.push_back({buffer, 0, row.live.hull(), 0, row.alignment});
        for (std::size_t number = 0; number < intervals.size(); ++number)
            pieces.push_back({buffer, narrow<std::int32_t>(number), intervals[number], row.bytes, row.alignment});
    }
    return pieces;
}

/// When pieces are born, and which: by time, then in their order.
struct Births
{
    std::vector<std::int64_t> times; ///< Each once.
    std::vector<std::int32_t> pieces;
};

Births birthsOf(const std::vector<Piece>& pieces)
{
    std::vector<std::pair<std::int64_t, std::int32_t>> sorted;
    sorted.reserve(pieces.size());
    for (const Piece& piece : pieces)
        sorted.emplace_back(piece.life.begin, narrow<std::int32_t>(sorted.size()));
    std::ranges::sort(sorted);
    Births births;
    births.pieces.reserve(sorted.size());
    for (const auto& [time, piece] : sorted) {
        if (births.times.empty() || births.times.back() != time) births.times.push_back(time);
        births.pieces.push_back(piece);
    }
    return births;
}

/// By the last birth that each piece sees, unless that is its own. \p values: by piece.
std::vector<LastRead> lastReads(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& times,
                                const std::vector<ValueId>& values)
{
    std::vector<LastRead> reads;
    reads.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Interval life = pieces[i].life;
        if (life.empty()) continue;
        const auto last = std::prev(std::ranges::lower_bound(times, life.end));
        if (*last > life.begin)
            reads.push_back(
                {NodeId(static_cast<std::size_t>(last - times.begin())), narrow<std::int32_t>(i), values[i]});
    }
    std::ranges::sort(reads);
    return reads;
}

/// The last output is a new version of an earlier piece of its buffer, of which nothing is read any more.
void continueIn(Node& node, ValueId before)
{
    Declaration& declared = node.declared.edit();
    if (!declared.traits) declared.traits.emplace();
    const auto input = narrow<int>(node.inputs.size());
    declared.traits->push_back({narrow<int>(node.outputs.size()) - 1, input, AliasKind::Mutates, 0});
    declared.ignoredInputs.push_back(input);
    node.inputs.push_back(before);
}

bool everyRowHasAnOffset(const PackingTable& table)
{
    return !table.offsets.empty() && std::all_of(table.offsets.begin(), table.offsets.end(),
                                                 [](const auto& offset) { return offset.has_value(); });
}

/// Of "a#2", which is what comes after the first gap of "a": as many '#' as it takes to clash with no id.
std::string markBetween(const std::vector<std::string>& ids)
{
    std::string mark = "#";
    const auto taken = [&](const std::string& id) { return id.find(mark) != std::string::npos; };
    while (std::any_of(ids.begin(), ids.end(), taken))
        mark += '#';
    return mark;
}

std::string nameOf(std::string id, const Piece& piece, const std::string& mark)
{
    return piece.number == 0 ? std::move(id) : std::move(id) + mark + std::to_string(piece.number + 1);
}

/// Makes the graph itself: names of steps differ as their times do, those of values are checked at the end, and none is
/// looked up. Of a large table the rows are gone when the nodes come.
class PackingBuilder
{
public:
    PackingBuilder(PackingTable table, std::string name)
        : m_table(std::move(table)), m_mark(markBetween(m_table.ids)), m_pieces(piecesOf(m_table.problem)),
          m_births(birthsOf(m_pieces)), m_values(m_pieces.size())
    {
        m_graph.name = std::move(name);
        m_graph.notes = std::move(m_table.notes);
        m_tellsSources =
            std::ranges::any_of(m_table.sources, [](const std::string& source) { return !source.empty(); });
        m_pins = !m_table.offsets.empty() && !everyRowHasAnOffset(m_table);
    }

    Graph run() &&
    {
        if (m_table.allocator) {
            AllocatorRecord record = *m_table.allocator;
            for (AllocatorRefusal& refusal : record.refused) // at the step that was the last one by then
                refusal.step = std::ranges::upper_bound(m_births.times, refusal.time) - m_births.times.begin() - 1;
            m_graph.extra = allocatorKeys(record);
        }
        giveBack(m_table.problem.buffers);
        addValues();
        const std::vector<LastRead> reads = lastReads(m_pieces, m_births.times, m_values);
        giveBack(m_table.ids);
        giveBack(m_table.offsets);
        giveBack(m_pieces);
        giveBack(m_births.pieces);
        giveBack(m_values);
        addNodes(reads);
        return std::move(m_graph);
    }

private:
    [[nodiscard]] bool tellsOrigins() const { return m_tellsSources || !m_table.requested.empty(); }

    void addValues()
    {
        m_graph.values.reserve(m_pieces.size());
        m_before.reserve(m_pieces.size());
        if (tellsOrigins()) m_rows.reserve(m_pieces.size());
        std::size_t time = 0;
        int output = 0;
        for (const std::int32_t born : m_births.pieces) {
            const auto piece = static_cast<std::size_t>(born);
            if (m_pieces[piece].life.begin != m_births.times[time]) {
                ++time;
                output = 0;
            }
            addValue(piece, NodeId(time), output++);
        }
    }

    void addValue(std::size_t position, NodeId producer, int output)
    {
        const Piece& piece = m_pieces[position];
        std::string& id = m_table.ids[piece.row()];
        const bool last = position + 1 == m_pieces.size() || m_pieces[position + 1].buffer != piece.buffer;
        m_values[position] = ValueId(m_graph.values.size());
        Value& value = m_graph.values.write().emplace_back();
        value.name = nameOf(last ? std::move(id) : id, piece, m_mark);
        value.type = TensorType::dense(DType::UInt8, {piece.bytes});
        value.producer = producer;
        value.producerOutput = output;
        value.at = m_at;
        if (piece.alignment != 1) value.at.edit().alignment = piece.alignment;
        if (m_pins) value.at.edit().pinnedOffset = m_table.offsets[piece.row()];
        m_before.push_back(piece.number > 0 ? m_values[position - 1] : ValueId());
        if (tellsOrigins()) m_rows.push_back(piece.row());
    }

    void addNodes(std::span<const LastRead> reads)
    {
        m_graph.nodes.reserve(m_births.times.size());
        m_graph.bodies.front().nodes.reserve(m_births.times.size());
        const std::vector<Value>& values = m_graph.values.read();
        std::size_t value = 0;
        std::size_t read = 0;
        for (std::size_t time = 0; time < m_births.times.size(); ++time) {
            const NodeId id(time);
            m_graph.bodies.front().nodes.push_back(id);
            Node& node = m_graph.nodes.write().emplace_back();
            node.name = "t=" + std::to_string(m_births.times[time]);
            node.op = m_from->origin.op;
            node.domain = m_from->origin.dialect;
            node.from = m_from;
            for (; read < reads.size() && reads[read].node == id; ++read)
                node.inputs.push_back(reads[read].value);
            for (; value < values.size() && values[value].producer == id; ++value) {
                node.outputs.emplace_back(value);
                if (m_before[value].valid()) continueIn(node, m_before[value]);
            }
            takeOrigin(node);
        }
    }

    /// What asked for the bytes, and for how many, where the table knows.
    void takeOrigin(Node& node) const
    {
        const auto listed = [&](const auto& column) {
            std::remove_cvref_t<decltype(column)> list;
            for (const ValueId output : node.outputs)
                list.push_back(column[m_rows[output.index()]]);
            return list;
        };
        if (!m_table.requested.empty()) node.attributes["requested"] = listed(m_table.requested);
        if (!m_tellsSources) return;
        if (node.outputs.size() == 1) {
            node.from.edit().source = m_table.sources[m_rows[node.outputs.front().index()]];
        } else {
            node.attributes["sources"] = listed(m_table.sources);
        }
    }

    PackingTable m_table;
    const std::string m_mark;
    const Rare<LiesAt> m_at = LiesAt {.space = m_table.allocator ? m_table.allocator->device : std::string()};
    const Rare<Provenance> m_from = Provenance {{"packing", "Step", {}}, {}, {}, {}}; ///< All nodes have one.
    Graph m_graph;
    std::vector<Piece> m_pieces; ///< Those of one buffer in a row, by time.
    Births m_births;
    std::vector<ValueId> m_values;   ///< By piece.
    std::vector<ValueId> m_before;   ///< By value: the piece before it of the same buffer; invalid for the first.
    std::vector<std::size_t> m_rows; ///< By value, where the table tells sources or what was requested.
    bool m_tellsSources = false;     ///< Of any row it is known what asked for it.
    bool m_pins = false;             ///< Some rows have offsets, and not all.
};

} // namespace

Result<Graph> packingGraph(PackingTable table, std::string name)
{
    Graph graph = PackingBuilder(std::move(table), std::move(name)).run(); // all else is gone when names are compared
    PLIMSOLL_TRY(validate(graph));
    return graph;
}

std::optional<PlanFile> packingPlan(const PackingTable& table)
{
    if (!everyRowHasAnOffset(table)) return std::nullopt;
    const std::string mark = markBetween(table.ids);
    PlanFile plan;
    const ArenaId arena(std::int32_t {0});
    std::int64_t height = 0;
    for (const Piece& piece : piecesOf(table.problem)) {
        const std::int64_t offset = *table.offsets[piece.row()];
        plan.entries.push_back({nameOf(table.ids[piece.row()], piece, mark), arena, offset, piece.bytes, {}});
        if (piece.bytes > 0) height = std::max(height, checkedAdd(offset, piece.bytes).value_or(height));
    }
    plan.arenas = {{table.problem.arenas.front().space, height, 1, {}}};
    return plan;
}

} // namespace plimsoll
