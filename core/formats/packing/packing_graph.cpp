#include "core/formats/packing/packing_graph.h"

#include "core/base/bytes.h"
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
    std::size_t buffer = 0; ///< Position in the table.
    std::size_t number = 0; ///< Among the pieces of its buffer.
    Interval life;
};

/// A piece that is born at a time, or seen there for the last time. By time, then in the order of the pieces.
struct Moment
{
    std::int64_t time = 0;
    std::size_t piece = 0;
    friend auto operator<=>(const Moment&, const Moment&) = default;
};
using Moments = std::span<const Moment>;

/// In order of the table; what never lives is one empty piece.
std::vector<Piece> piecesOf(const Problem& problem)
{
    std::vector<Piece> pieces;
    pieces.reserve(problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const auto& intervals = problem.buffers[i].live.intervals();
        if (intervals.empty()) pieces.push_back({i, 0, problem.buffers[i].live.hull()});
        for (std::size_t number = 0; number < intervals.size(); ++number)
            pieces.push_back({i, number, intervals[number]});
    }
    return pieces;
}

std::vector<Moment> birthsOf(const std::vector<Piece>& pieces)
{
    std::vector<Moment> births;
    births.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i)
        births.push_back({pieces[i].life.begin, i});
    std::ranges::sort(births);
    return births;
}

/// The last birth that each sees, unless that is its own.
std::vector<Moment> lastSeen(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& times)
{
    std::vector<Moment> seen;
    seen.reserve(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Interval life = pieces[i].life;
        if (life.empty()) continue;
        const std::int64_t last = *std::prev(std::ranges::lower_bound(times, life.end));
        if (last > life.begin) seen.push_back({last, i});
    }
    std::ranges::sort(seen);
    return seen;
}

/// Takes those of that time, which come first in what is left.
Moments takeAt(std::int64_t time, Moments& left)
{
    const auto later = std::ranges::find_if(left, [time](const Moment& moment) { return moment.time != time; });
    const Moments taken(left.begin(), later);
    left = Moments(later, left.end());
    return taken;
}

/// What never lives takes no bytes.
TensorType typeOf(const Buffer& buffer)
{
    return TensorType::dense(DType::UInt8, {buffer.live.empty() ? 0 : buffer.bytes});
}

bool everyRowHasAnOffset(const PackingTable& table)
{
    return !table.offsets.empty() && std::all_of(table.offsets.begin(), table.offsets.end(),
                                                 [](const auto& offset) { return offset.has_value(); });
}

/// "a", and "a#2" for what comes after its first gap. As many '#' as it takes to clash with no id.
class PieceNames
{
public:
    explicit PieceNames(const PackingTable& table) : m_table(table)
    {
        const auto taken = [this](const std::string& id) { return id.find(m_mark) != std::string::npos; };
        while (std::any_of(table.ids.begin(), table.ids.end(), taken))
            m_mark += '#';
    }

    [[nodiscard]] std::string of(const Piece& piece) const
    {
        const std::string& id = m_table.ids[piece.buffer];
        return piece.number == 0 ? id : id + m_mark + std::to_string(piece.number + 1);
    }

private:
    const PackingTable& m_table;
    std::string m_mark = "#";
};

/// Makes the graph itself: names of steps differ as their times do, those of values are checked at the end, and none is
/// looked up.
class PackingBuilder
{
public:
    PackingBuilder(const PackingTable& table, std::string name)
        : m_table(table), m_names(table), m_pieces(piecesOf(table.problem)), m_values(m_pieces.size())
    {
        m_graph.name = std::move(name);
        m_graph.notes = table.notes;
        m_tellsSources = std::ranges::any_of(table.sources, [](const std::string& source) { return !source.empty(); });
        m_pins = !table.offsets.empty() && !everyRowHasAnOffset(table);
    }

    Result<Graph> run() &&
    {
        const std::vector<Moment> births = birthsOf(m_pieces);
        std::vector<std::int64_t> times;
        for (const Moment& birth : births)
            if (times.empty() || times.back() != birth.time) times.push_back(birth.time);
        const std::vector<Moment> seen = lastSeen(m_pieces, times);
        if (m_table.allocator) {
            AllocatorRecord record = *m_table.allocator;
            for (AllocatorRefusal& refusal : record.refused) // at the step that was the last one by then
                refusal.step = std::ranges::upper_bound(times, refusal.time) - times.begin() - 1;
            m_graph.extra = allocatorKeys(record);
        }
        m_graph.nodes.reserve(times.size());
        m_graph.values.reserve(m_pieces.size());
        m_graph.bodies.front().nodes.reserve(times.size());
        Moments born = births;
        Moments dead = seen;
        for (const std::int64_t time : times)
            addNode(time, takeAt(time, born), takeAt(time, dead));
        PLIMSOLL_TRY(validate(m_graph));
        return std::move(m_graph);
    }

private:
    void addNode(std::int64_t time, Moments born, Moments dead)
    {
        const NodeId id(m_graph.nodes.size());
        m_graph.bodies.front().nodes.push_back(id);
        Node& node = m_graph.nodes.write().emplace_back();
        node.name = "t=" + std::to_string(time);
        node.op = "Step";
        node.domain = "packing";
        node.from = m_from;
        takeOrigin(node, born);
        node.inputs.reserve(dead.size());
        for (const Moment& last : dead)
            node.inputs.push_back(m_values[last.piece]);
        node.outputs.reserve(born.size());
        for (std::size_t output = 0; output < born.size(); ++output) {
            const std::size_t piece = born[output].piece;
            node.outputs.push_back(addValue(piece, id, narrow<int>(output)));
            if (m_pieces[piece].number == 0) continue;
            // A later piece is a new version of the earlier one, of which nothing is read any more.
            if (!node.declared->traits) node.declared.edit().traits.emplace();
            const auto input = narrow<int>(node.inputs.size());
            node.declared.edit().traits->push_back({static_cast<int>(output), input, AliasKind::Mutates, 0});
            node.declared.edit().ignoredInputs.push_back(input);
            node.inputs.push_back(m_values[piece - 1]);
        }
    }

    /// What asked for the bytes, and for how many, where the table knows.
    void takeOrigin(Node& node, Moments born) const
    {
        const auto row = [&](const Moment& birth) { return m_pieces[birth.piece].buffer; };
        const auto listed = [&](const auto& column) {
            std::remove_cvref_t<decltype(column)> list;
            for (const Moment& birth : born)
                list.push_back(column[row(birth)]);
            return list;
        };
        if (!m_table.requested.empty()) node.attributes["requested"] = listed(m_table.requested);
        if (!m_tellsSources) return;
        if (born.size() == 1) {
            node.from.edit().source = m_table.sources[row(born.front())];
        } else {
            node.attributes["sources"] = listed(m_table.sources);
        }
    }

    ValueId addValue(std::size_t piece, NodeId producer, int output)
    {
        const std::size_t row = m_pieces[piece].buffer;
        const Buffer& buffer = m_table.problem.buffers[row];
        m_values[piece] = ValueId(m_graph.values.size());
        Value& value = m_graph.values.write().emplace_back();
        value.name = m_names.of(m_pieces[piece]);
        value.type = typeOf(buffer);
        value.producer = producer;
        value.producerOutput = output;
        value.at = m_at;
        if (buffer.alignment != 1) value.at.edit().alignment = buffer.alignment;
        if (m_pins) value.at.edit().pinnedOffset = m_table.offsets[row];
        return m_values[piece];
    }

    const PackingTable& m_table;
    const Rare<LiesAt> m_at = LiesAt {.space = m_table.allocator ? m_table.allocator->device : std::string()};
    const Rare<Provenance> m_from = Provenance {{"packing", "Step", {}}, {}, {}, {}}; ///< All nodes have one.
    PieceNames m_names;
    Graph m_graph;
    std::vector<Piece> m_pieces;   ///< Those of one buffer in a row, by time.
    std::vector<ValueId> m_values; ///< By piece.
    bool m_tellsSources = false;   ///< Of any row it is known what asked for it.
    bool m_pins = false;           ///< Some rows have offsets, and not all.
};

} // namespace

Result<Graph> packingGraph(const PackingTable& table, std::string name)
{
    return PackingBuilder(table, std::move(name)).run();
}

std::optional<PlanFile> packingPlan(const PackingTable& table)
{
    if (!everyRowHasAnOffset(table)) return std::nullopt;
    const PieceNames names(table);
    PlanFile plan;
    const ArenaId arena(std::int32_t {0});
    std::int64_t height = 0;
    for (const Piece& piece : piecesOf(table.problem)) {
        const std::int64_t bytes = typeOf(table.problem.buffers[piece.buffer]).bytes().value_or(0);
        const std::int64_t offset = *table.offsets[piece.buffer];
        plan.entries.push_back({names.of(piece), arena, offset, bytes, {}});
        if (bytes > 0) height = std::max(height, checkedAdd(offset, bytes).value_or(height));
    }
    plan.arenas = {{table.problem.arenas.front().space, height, 1, {}}};
    return plan;
}

} // namespace plimsoll
