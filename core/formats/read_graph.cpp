#include "core/formats/read_graph.h"
#include "core/base/heap.h"
#include "core/formats/bad_input.h"

#include "core/formats/files/mapped_file.h"
#include "core/formats/formats.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/graph_in_file.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/reading_room.h"

#include <new>

namespace plimsoll {
namespace {

Result<FormatContent> readTable(const Format& format, const FormatInput& input)
{
    PLIMSOLL_ASSIGN(table, format.readTable(input, MostPackingRows));
    GraphsOfFile tables = std::move(table.tables);
    auto plan = packingPlan(table);
    PLIMSOLL_ASSIGN(graph, packingGraph(std::move(table), input.stem("table")));
    FormatContent content {std::move(graph), badInput(say("graph.rows-without-offset")), std::move(tables)};
    if (plan) content.plan = *std::move(plan);
    return content;
}

/// What the reader makes of a file. Readers take room for what they know to be large, and say where there is no more;
/// the limit holds whatever they make.
Result<FormatContent> readWithin(const Format& format, const FormatInput& input, const Context& context)
{
    constexpr std::size_t PartlyUsedPages = std::size_t {4} << 20;
    const MemoryLimit limit(ReadingRoom(input.bytes.size()).left() - PartlyUsedPages);
    try {
        return format.readTable ? readTable(format, input) : format.read(input, context);
    } catch (const std::bad_alloc&) {
        if (!limit.exceeded()) throw;
        return badInput(ReadingRoom::refusal(), "graph");
    }
}

Error unknown(const FormatInput& input)
{
    const Message& known = input.content.known.text;
    return badInput(known.empty() ? say("graph.no-json", readableFormats()) : known);
}

Result<FormatContent> readAs(const Format* format, const FormatInput& input, const Context& context)
{
    if (!input.graph.empty() && !(format && format->several)) return onlyOneGraph({input.file, input.graph});
    if (!format) return fromFile(Result<FormatContent>(unknown(input)), input.file);
    auto content = fromFile(readWithin(*format, input, context), input.file);
    if (!content.ok()) return content;
    Graph& graph = content.value().graph;
    graph.file = {std::string(format->id), input.file, format->declaresTraits};
    if (auto& plan = content.value().plan) {
        const std::string name = input.graph.empty() ? "" : "#" + input.graph;
        plan = fromFile(*std::move(plan), input.file.string() + name);
    }
    return content;
}

Result<Graph> graphOf(Result<FormatContent> content)
{
    if (!content.ok()) return content.error();
    return std::move(content).value().graph;
}

} // namespace

Result<FormatContent> readFile(const FormatInput& input, const Context& context)
{
    return readAs(formatOf(input), input, context);
}

Result<FormatContent> readFile(const std::filesystem::path& path, const Context& context)
{
    const GraphPlace place = graphPlace(path);
    PLIMSOLL_ASSIGN(file, MappedFile::open(place.file));
    return readFile(FormatInput(file.bytes(), place.file, place.graph), context);
}

Result<Graph> readGraph(const std::filesystem::path& path, const Context& context)
{
    return graphOf(readFile(path, context));
}

Result<Graph> readGraph(std::span<const std::byte> bytes, const Context& context)
{
    return graphOf(readFile(FormatInput(bytes), context));
}

Result<PlanFile> readPlan(const std::filesystem::path& path)
{
    const GraphPlace place = graphPlace(path);
    PLIMSOLL_ASSIGN(file, MappedFile::open(place.file));
    const FormatInput input(file.bytes(), place.file, place.graph);
    const Format* format = formatOf(input);
    if (!format || format->takesRest) return readPlanJson(input.text(), path);
    PLIMSOLL_ASSIGN(content, readAs(format, input, {}));
    if (content.plan) return *std::move(content.plan);
    return Error {
        ErrorCode::BadInput, say("graph.no-plan-kept", word::Name {std::string(format->title)}), {}, path.string()};
}

std::filesystem::path fileOfGraph(const std::filesystem::path& path)
{
    return graphPlace(path).file;
}

} // namespace plimsoll
