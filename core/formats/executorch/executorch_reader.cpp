#include "core/formats/executorch/executorch_reader.h"

#include "core/formats/executorch/executorch_emitter.h"
#include "core/formats/graph_choice.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace executorch;

/// Methods that only hand out numbers and texts have no memory to plan.
bool hasMemory(const Method& method)
{
    return !method.calls.empty();
}

std::vector<std::string> planned(const Program& program)
{
    std::vector<std::string> names;
    for (const Method& method : program.methods) {
        if (hasMemory(method)) names.push_back(method.name);
    }
    return names;
}

/// By name, or the first with memory.
Result<std::size_t> findMethod(const Program& program, std::string_view wanted)
{
    const auto found = std::ranges::find_if(program.methods, [&](const Method& method) {
        return wanted.empty() ? hasMemory(method) : method.name == wanted;
    });
    if (found != program.methods.end()) return static_cast<std::size_t>(found - program.methods.begin());
    if (wanted.empty()) return std::size_t {0};
    return noGraph(planned(program), wanted, "executorch.no-method");
}

} // namespace

Result<FormatContent> readExecutorch(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(program, parseProgram(input.bytes, context, room));
    PLIMSOLL_ASSIGN(method, findMethod(program, input.graph));
    context.report("reading", 0.5);
    Emitter emitter(program, method, input.file, context, room);
    PLIMSOLL_ASSIGN(graph, emitter.run(input.stem(program.methods[method].name)));
    FormatContent content {std::move(graph), emitter.plan()};
    if (const auto names = planned(program); names.size() > 1) {
        content.graph.notes.push_back(say("note.several-methods", namesOf(names, names.size())));
        const auto chosen = std::ranges::find(names, program.methods[method].name) - names.begin();
        content.graphs = {names, static_cast<std::size_t>(chosen)};
    }
    return content;
}

} // namespace plimsoll
