#include "core/formats/executorch/executorch_reader.h"

#include "core/formats/executorch/executorch_emitter.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace executorch;

/// Methods that only hand out numbers and texts have no memory to plan.
bool hasMemory(const Method& method)
{
    return !method.calls.empty();
}

std::string listed(const Program& program)
{
    std::string text;
    for (const Method& method : program.methods)
        if (hasMemory(method)) text += (text.empty() ? "'" : ", '") + method.name + "'";
    return text;
}

Result<std::size_t> findMethod(const Program& program, std::string_view wanted)
{
    const auto found = std::find_if(program.methods.begin(), program.methods.end(), [&](const Method& method) {
        return wanted.empty() ? hasMemory(method) : method.name == wanted;
    });
    if (found != program.methods.end()) return static_cast<std::size_t>(found - program.methods.begin());
    if (wanted.empty()) return std::size_t {0};
    return Error {ErrorCode::BadInput,
                  "The program has no method '" + std::string(wanted) + "'. It has " + listed(program) + ".",
                  {},
                  {}};
}

} // namespace

Result<FormatContent> readExecutorch(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(program, parseProgram(input.bytes, context));
    PLIMSOLL_ASSIGN(method, findMethod(program, input.graph));
    context.report("reading", 0.5);
    Emitter emitter(program, method, input.file, context);
    PLIMSOLL_ASSIGN(named, emitter.run());
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.name = input.stem(program.methods[method].name);
    graph.opsets = {{Dialect, std::max<std::int64_t>(program.version, 1)}};
    const std::vector<std::string> notes = emitter.notes();
    graph.notes.insert(graph.notes.end(), notes.begin(), notes.end());
    if (std::count_if(program.methods.begin(), program.methods.end(), hasMemory) > 1)
        graph.notes.push_back("The program has several methods: " + listed(program) +
                              ". Another one is opened as FILE#NAME.");
    return FormatContent {std::move(graph), emitter.plan()};
}

} // namespace plimsoll
