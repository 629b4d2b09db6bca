#include "core/formats/named_builder.h"

#include <algorithm>

namespace plimsoll {

std::string UniqueNames::unique(const std::string& name)
{
    const auto take = [this](const std::string& free) { return m_given.insert(std::hash<std::string>()(free)).second; };
    return m_numbers.name(name, take);
}

Node NodeKinds::node(std::string_view domain, std::string_view op, const Origin& origin)
{
    auto known = m_known.find(std::tie(domain, op, origin));
    if (known == m_known.end()) {
        Node kind {.op = op, .domain = domain, .from = Provenance {.origin = origin}};
        known = m_known.emplace(std::tuple(domain, op, origin), std::move(kind)).first;
    }
    return known->second;
}

NamedBuilder::NamedBuilder(std::string_view dialectName, const Context& watch,
                           std::initializer_list<std::string_view> sentences, ReadingRoom ofFile)
    : dialect(dialectName), context(watch), room(ofFile)
{
    for (const std::string_view id : sentences)
        notes.push_back(say(id, 0));
}

NamedValue NamedBuilder::value(const std::string& wished, TensorType type)
{
    room.take(ReadingRoom::Value + 2 * wished.size() + (type.dims ? type.dims->size() * 2 * sizeof(Dim) : 0));
    return {.name = values.unique(wished), .type = std::move(type)};
}

NamedNode NamedBuilder::node(const std::string& wished, const std::string& op, std::string place)
{
    room.take(ReadingRoom::Node + 2 * wished.size() + place.size());
    NamedNode named;
    named.place = std::move(place);
    named.node = m_kinds.node(dialect, op, {dialect, op, {}});
    named.node.name = nodes.unique(wished);
    return named;
}

void NamedBuilder::note(std::string_view id, std::size_t times, std::vector<Argument> ofFirst)
{
    if (times == 0) return;
    const auto found = std::ranges::find(notes, id, &Message::id);
    Message& sentence = found == notes.end() ? notes.emplace_back(say(id, 0)) : *found;
    auto& count = std::get<std::int64_t>(sentence.arguments.front().value);
    if (count == 0) std::ranges::move(ofFirst, std::back_inserter(sentence.arguments));
    std::get<std::int64_t>(sentence.arguments.front().value) += static_cast<std::int64_t>(times);
}

Result<Graph> NamedBuilder::finish(std::string name, std::map<std::string, std::int64_t> opsets)
{
    values = {};
    nodes = {};
    PLIMSOLL_ASSIGN(made, assemble(std::move(graph), {.room = room}));
    made.name = std::move(name);
    made.opsets = std::move(opsets);
    std::ranges::copy_if(notes, std::back_inserter(made.notes), [](const Message& note) {
        return note.arguments.empty() || note.arguments[0] != Argument(0);
    });
    return made;
}

NamedBody openBody(const NamedNode& owner, std::string name)
{
    return {.name = std::move(name), .graph = {.place = owner.place}};
}

void markCopies(NamedGraph& graph, std::size_t first)
{
    for (std::size_t i = first; i < graph.nodes.size(); ++i) {
        NamedNode& copy = graph.nodes[i];
        copy.node.from.edit().origin.dialect = "plimsoll";
        for (NamedBody& body : copy.bodies)
            markCopies(body.graph, 0);
    }
}

} // namespace plimsoll
