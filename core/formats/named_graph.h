#pragma once

#include "core/formats/reading_room.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// A graph as files say it, by names: what readers of every format hand to assemble().

struct NamedValue
{
    std::string name;
    TensorType type;
    Rare<TensorData> data {}; ///< Parameters and constants.
    bool requiresGrad = false;
    bool visible = true;
    std::optional<GradientRequest> gradientRequest {};
    Rare<LiesAt> at {}; ///< Without strides: these are the node's.
    Rare<std::string> extra {};
};

struct NamedBody;

struct NamedNode
{
    Node node; ///< Everything but inputs, outputs and bodies.
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<NamedBody> bodies;
    std::string place; ///< Where it stands in the file, for errors: "nodes[3]", "graph.node[12] 'conv1'".
    Rare<std::map<int, std::vector<std::int64_t>>> strides {}; ///< By output: of a view, or of a new version of one.
};

/// Its lists neither move while they grow nor keep what is taken from their front, so a large graph is not there twice
/// while it goes from one form into the next.
struct NamedGraph
{
    std::deque<NamedValue> inputs; ///< One that is a parameter too is the parameter.
    std::deque<NamedValue> parameters;
    std::deque<NamedValue> constants;
    std::deque<NamedNode> nodes;
    std::deque<NamedValue> values; ///< Types of what the nodes compute, as far as the file says them.
    std::vector<std::string> outputs;
    std::string place; ///< "graph"
};

struct NamedBody
{
    std::string name; ///< "then_branch"
    NamedGraph graph;
};

struct AssembleRequest
{
    std::string name;
    std::string loss; ///< Empty: none.
    /// For ONNX, whose tools leave rests behind: types of values that do not exist are passed over; of constants with
    /// one name the last is meant; any other node that computes a name again is tolerated as long as nothing reads the
    /// name after it. The value that is not meant is called "name#2".
    bool lenient = false;
    ReadingRoom room {0}; ///< What is left of the file's: names in nested graphs have the path of their graph in front.
};

/// Resolves the names, opens the nested graphs and puts the nodes into an order of execution. Errors say which name
/// does not exist or stands for two values, and which nodes form a cycle, with the place of the reader.
[[nodiscard]] Result<Graph> assemble(NamedGraph named, const AssembleRequest& request);

} // namespace plimsoll
