#include "core/formats/executorch/executorch_reader.h"

#include "core/formats/executorch/executorch_emitter.h"
#include "core/formats/plimsoll/from_file.h"

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

struct ReadProgram
{
    Graph graph;
    PlanFile plan;
};

Result<ReadProgram> readProgram(std::span<const std::byte> bytes, std::string_view wanted,
                                const std::filesystem::path& file, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(program, parseProgram(bytes, context));
    PLIMSOLL_ASSIGN(method, findMethod(program, wanted));
    context.report("reading", 0.5);
    Emitter emitter(program, method, file, context);
    PLIMSOLL_ASSIGN(named, emitter.run());
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.format = ExecutorchFormat;
    graph.name = file.empty() ? program.methods[method].name : file.stem().string();
    graph.opsets = {{Dialect, std::max<std::int64_t>(program.version, 1)}};
    const std::vector<std::string> notes = emitter.notes();
    graph.notes.insert(graph.notes.end(), notes.begin(), notes.end());
    if (std::count_if(program.methods.begin(), program.methods.end(), hasMemory) > 1)
        graph.notes.push_back("The program has several methods: " + listed(program) +
                              ". Another one is opened as FILE#NAME.");
    return ReadProgram {std::move(graph), emitter.plan()};
}

} // namespace

Result<Graph> readExecutorch(std::span<const std::byte> bytes, std::string_view wanted,
                             const std::filesystem::path& file, const Context& context)
{
    auto read = readProgram(bytes, wanted, file, context);
    return fromFile(read.ok() ? Result<Graph>(std::move(read.value().graph)) : Result<Graph>(read.error()), file);
}

Result<PlanFile> executorchPlan(std::span<const std::byte> bytes, std::string_view wanted,
                                const std::filesystem::path& file)
{
    auto read = readProgram(bytes, wanted, file, {});
    return fromFile(read.ok() ? Result<PlanFile>(std::move(read.value().plan)) : Result<PlanFile>(read.error()), file);
}

} // namespace plimsoll
