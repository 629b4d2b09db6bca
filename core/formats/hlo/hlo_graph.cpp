#include "core/formats/hlo/hlo_graph.h"

#include <algorithm>

namespace plimsoll::hlo {
namespace {

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that passes put in.

/// "'a', 'b', 'c'"
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t Most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, names.size()); ++i)
        text += (text.empty() ? "'" : ", '") + names[i] + "'";
    return text + (names.size() > Most ? ", …" : "");
}

} // namespace

Result<ModuleGraph> makeGraph(const Module& module, const std::string& name, const Context& context)
{
    context.report("reading", 0.5);
    Emitter emitter(module, context);
    PLIMSOLL_ASSIGN(named, emitter.run());
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.name = name;
    graph.opsets = {{"", CommonOpset}, {Dialect, 1}};
    const std::vector<Message> notes = emitter.notes();
    graph.notes.insert(graph.notes.end(), notes.begin(), notes.end());
    return ModuleGraph {std::move(graph), emitter.placed()};
}

void noteOthers(Graph& graph, const std::string& name, const std::vector<std::string>& others)
{
    if (others.empty()) return;
    graph.notes.push_back("The file holds several programs; this is '" + name +
                          "'. Others are opened as FILE#NAME: " + listed(others) + ".");
}

Error noSuchProgram(std::string_view wanted, const std::vector<std::string>& names)
{
    return {ErrorCode::BadInput,
            "The file has no program '" + std::string(wanted) + "'. It has " + listed(names) + ".",
            {},
            {}};
}

} // namespace plimsoll::hlo
