#include "core/formats/packing_graph.h"

#include "core/graph/graph_builder.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// What one node writes and reads, as positions in the table.
struct Moment
{
    std::vector<std::size_t> born;
    std::vector<std::size_t> lastSeen; ///< Not those that are born here, too.
};

/// Times at which something is born, ascending.
std::vector<std::int64_t> birthTimes(const Problem& problem)
{
    std::vector<std::int64_t> times;
    for (const Buffer& buffer : problem.buffers)
        times.push_back(buffer.live.hull().begin);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

std::vector<Moment> momentsOf(const Problem& problem, const std::vector<std::int64_t>& times)
{
    std::vector<Moment> moments(times.size());
    const auto firstNotBefore = [&](std::int64_t time) {
        return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
    };
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Interval life = problem.buffers[i].live.hull();
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

} // namespace

Result<Graph> packingGraph(const PackingTable& table, std::string name)
{
    GraphBuilder builder(std::move(name));
    builder.graph().format = "packing table";
    const std::vector<std::int64_t> times = birthTimes(table.problem);
    const std::vector<Moment> moments = momentsOf(table.problem, times);
    std::vector<ValueId> values(table.ids.size());
    for (std::size_t at = 0; at < moments.size(); ++at) {
        Node node;
        node.name = "t=" + std::to_string(times[at]);
        node.op = "Step";
        node.domain = "packing";
        node.origin = {"packing", "Step", {}};
        std::vector<ValueId> inputs;
        for (const std::size_t buffer : moments[at].lastSeen)
            inputs.push_back(values[buffer]);
        std::vector<std::string> outputs;
        for (const std::size_t buffer : moments[at].born)
            outputs.push_back(table.ids[buffer]);
        const NodeId id = builder.addNode(std::move(node), std::move(inputs), outputs);
        for (std::size_t i = 0; i < moments[at].born.size(); ++i) {
            const std::size_t buffer = moments[at].born[i];
            values[buffer] = builder.output(id, i);
            builder.graph()[values[buffer]].type = typeOf(table.problem.buffers[buffer]);
        }
    }
    return std::move(builder).build();
}

} // namespace plimsoll
