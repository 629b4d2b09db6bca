#pragma once

#include "core/base/numbered_names.h"
#include "core/base/progress.h"
#include "core/formats/named_graph.h"
#include "core/formats/reading_room.h"

#include <absl/container/flat_hash_set.h>

#include <initializer_list>
#include <map>
#include <string_view>
#include <tuple>

namespace plimsoll {

/// Gives each name once: "x", then "x#2", "x#3", …
class UniqueNames
{
public:
    [[nodiscard]] std::string unique(const std::string& name);

private:
    absl::flat_hash_set<std::size_t> m_given; ///< Hashes: where two meet, a name gets a number that it did not need.
    NumberedNames m_numbers;
};

/// Nodes without names, of one operator each. Its words, and where it comes from, are there once however many nodes
/// share them.
class NodeKinds
{
public:
    [[nodiscard]] Node node(std::string_view domain, std::string_view op, const Origin& origin);

private:
    std::map<std::tuple<std::string, std::string, Origin>, Node, std::less<>> m_known;
};

/// What importers build a graph by names with. Names are unique in the whole file, so that nested graphs may read
/// values of those around them; what is there before the run stands in the outermost one.
///
///     NamedBuilder build("tflite", context, {"note.tflite-state"});
///     NamedNode node = build.node("ADD_0", "ADD", "subgraphs[0].operators[0]");
///     NamedValue sum = build.value("sum", type);
///     node.outputs = {sum.name};
struct NamedBuilder
{
    /// \p notes: sentences that count what they are about, in the order in which they are given to the graph.
    /// \p room: of the file.
    NamedBuilder(std::string_view dialect, const Context& context, std::initializer_list<std::string_view> notes,
                 ReadingRoom room);

    [[nodiscard]] NamedValue value(const std::string& wished, TensorType type);
    /// Of the operator \p op of the dialect, under its own name.
    [[nodiscard]] NamedNode node(const std::string& wished, const std::string& op, std::string place);
    /// One more thing, or \p times as many, of which the sentence \p id speaks: its first argument is their number,
    /// others are those of the first one.
    void note(std::string_view id, std::size_t times = 1, std::vector<Argument> ofFirst = {});
    /// The graph assembled, with its notes.
    [[nodiscard]] Result<Graph> finish(std::string name, std::map<std::string, std::int64_t> opsets);

    std::string dialect;
    const Context& context;
    NamedGraph graph; ///< The outermost one.
    UniqueNames values;
    UniqueNames nodes;
    std::vector<Message> notes;
    ReadingRoom room; ///< node() and value() take theirs.

private:
    NodeKinds m_kinds;
};

[[nodiscard]] NamedBody openBody(const NamedNode& owner, std::string name);

/// Says of the nodes of \p graph from \p first on that the file has them once only, elsewhere: they count as added.
void markCopies(NamedGraph& graph, std::size_t first);

} // namespace plimsoll
