#include "core/formats/packing/packing_graph.h"

#include "core/base/bytes.h"
#include "core/base/narrow.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/graph/graph_builder.h"

#include <algorithm>
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

/// What one node writes and reads, as positions among the pieces.
struct Moment
{
    std::vector<std::size_t> born;
    std::vector<std::size_t> lastSeen; ///< Not those that are born here, too.
};

/// In order of the table; what never lives is one empty piece.
std::vector<Piece> piecesOf(const Problem& problem)
{
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const auto& intervals = problem.buffers[i].live.intervals();
        if (intervals.empty()) pieces.push_back({i, 0, problem.buffers[i].live.hull()});
        for (std::size_t number = 0; number < intervals.size(); ++number)
            pieces.push_back({i, number, intervals[number]});
    }
    return pieces;
}

std::vector<Moment> momentsOf(const std::vector<Piece>& pieces, const std::vector<std::int64_t>& times)
{
    std::vector<Moment> moments(times.size());
    const auto firstNotBefore = [&](std::int64_t time) {
        return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Interval life = pieces[i].life;
        const std::size_t birth = firstNotBefore(life.begin);
        moments[birth].born.push_back(i);
        if (life.empty()) continue;
        const std::size_t last = firstNotBefore(life.end) - 1;
        if (last > birth) moments[last].lastSeen.push_back(i);
    }
    return moments;
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

class PackingBuilder
{
public:
    PackingBuilder(const PackingTable& table, std::string name)
        : m_table(table), m_names(table), m_builder(std::move(name)), m_pieces(piecesOf(table.problem)),
          m_values(m_pieces.size())
    {
        m_builder.graph().notes = table.notes;
        m_tellsSources = std::ranges::any_of(table.sources, [](const std::string& source) { return !source.empty(); });
        m_pins = !table.offsets.empty() && !everyRowHasAnOffset(table);
    }

    Result<Graph> run() &&
    {
        std::vector<std::int64_t> times;
        times.reserve(m_pieces.size());
        for (const Piece& piece : m_pieces)
            times.push_back(piece.life.begin);
        std::ranges::sort(times);
        times.erase(std::ranges::unique(times).begin(), times.end());
        const std::vector<Moment> moments = momentsOf(m_pieces, times);
        if (m_table.allocator) {
            AllocatorRecord record = *m_table.allocator;
            for (AllocatorRefusal& refusal : record.refused) // at the step that was the last one by then
                refusal.step = std::ranges::upper_bound(times, refusal.time) - times.begin() - 1;
            m_builder.graph().extra = allocatorKeys(record);
        }
        m_builder.graph().nodes.reserve(times.size());
        m_builder.graph().values.reserve(m_pieces.size());
        for (std::size_t at = 0; at < moments.size(); ++at)
            addNode(moments[at], times[at]);
        return std::move(m_builder).build();
    }

private:
    void addNode(const Moment& moment, std::int64_t time)
    {
        Node node;
        node.name = "t=" + std::to_string(time);
        node.op = "Step";
        node.domain = "packing";
        node.origin = {"packing", "Step", {}};
        takeOrigin(node, moment);
        std::vector<ValueId> inputs;
        for (const std::size_t piece : moment.lastSeen)
            inputs.push_back(m_values[piece]);
        std::vector<std::string> outputs;
        for (std::size_t output = 0; output < moment.born.size(); ++output) {
            const std::size_t piece = moment.born[output];
            outputs.push_back(m_names.of(m_pieces[piece]));
            if (m_pieces[piece].number == 0) continue;
            // A later piece is a new version of the earlier one, of which nothing is read any more.
            if (!node.declaredTraits) node.declaredTraits.emplace();
            const auto input = narrow<int>(inputs.size());
            node.declaredTraits->push_back({static_cast<int>(output), input, AliasKind::Mutates, 0});
            node.ignoredInputs.push_back(input);
            inputs.push_back(m_values[piece - 1]);
        }
        const NodeId id = m_builder.addNode(std::move(node), std::move(inputs), outputs);
        for (std::size_t output = 0; output < moment.born.size(); ++output)
            describe(moment.born[output], m_builder.output(id, output));
    }

    /// What asked for the bytes, and for how many, where the table knows.
    void takeOrigin(Node& node, const Moment& moment) const
    {
        const auto row = [&](std::size_t output) { return m_pieces[moment.born[output]].buffer; };
        const auto listed = [&](const auto& column) {
            std::remove_cvref_t<decltype(column)> list;
            for (std::size_t output = 0; output < moment.born.size(); ++output)
                list.push_back(column[row(output)]);
            return list;
        };
        if (!m_table.requested.empty()) node.attributes["requested"] = listed(m_table.requested);
        if (!m_tellsSources) return;
        if (moment.born.size() == 1) {
            node.source = m_table.sources[row(0)];
        } else {
            node.attributes["sources"] = listed(m_table.sources);
        }
    }

    void describe(std::size_t piece, ValueId id)
    {
        const std::size_t row = m_pieces[piece].buffer;
        const Buffer& buffer = m_table.problem.buffers[row];
        Value& value = m_builder.graph()[id];
        value.type = typeOf(buffer);
        value.space = m_table.allocator ? m_table.allocator->device : std::string();
        value.alignment = buffer.alignment;
        if (m_pins) value.pinnedOffset = m_table.offsets[row];
        m_values[piece] = id;
    }

    const PackingTable& m_table;
    PieceNames m_names;
    GraphBuilder m_builder;
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
