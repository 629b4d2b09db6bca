#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/text_table.h"
#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/pool.h"
#include "core/formats/files/json_text.h"
#include "core/report/escape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PoolOptions : GraphOptions
{
    std::vector<std::string> graphs;
    std::string json;
};

struct Member
{
    std::string file;
    std::string name;
    std::int64_t peakBytes = 0;
    std::size_t errors = 0; ///< The plan is not legal.
    std::vector<Blocks> blocks;
};

std::string sizes(const std::vector<std::int64_t>& bytes)
{
    constexpr std::size_t Most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, bytes.size()); ++i)
        text += (i > 0 ? ", " : "") + formatCount(bytes[i]);
    return text + (bytes.size() > Most ? " and " + std::to_string(bytes.size() - Most) + " more" : "");
}

std::string poolText(const std::vector<Member>& members, const std::vector<Pool>& pools)
{
    using Align = TextTable::Align;
    TextTable plans({Align::Left, Align::Left, Align::Right, Align::Left});
    for (const Member& member : members) {
        for (const Blocks& blocks : member.blocks)
            plans.add({visibleLine(member.name), visibleLine(blocks.space), formatCount(member.peakBytes) + " B",
                       sizes(blocks.bytes)});
    }
    std::string text = "Plans, and the blocks that they take\n" + plans.text(2);
    for (const Member& member : members)
        if (member.errors > 0)
            text += "  " + visibleLine(member.name) + " is " + english(say("plan.not-legal", member.errors)) + "\n";
    for (const Pool& pool : pools) {
        TextTable table({Align::Left, Align::Right, Align::Left});
        table.add({"pool", formatCount(pool.poolBytes) + " B", sizes(pool.bytes)});
        table.add({"one by one", formatCount(pool.oneByOneBytes) + " B", "grown in this order, as in MXNet"});
        table.add({"separate", formatCount(pool.separateBytes) + " B", "without a pool"});
        text += "\nOne pool in " + visibleLine(pool.space) + " for plans that do not run at the same time\n" +
                table.text(2);
    }
    return text;
}

Json poolJson(const std::vector<Member>& members, const std::vector<Pool>& pools)
{
    Json graphs = Json::array();
    for (const Member& member : members) {
        Json blocks = Json::array();
        for (const Blocks& one : member.blocks)
            blocks.push_back({{"space", one.space}, {"bytes", one.bytes}});
        graphs.push_back({{"file", member.file},
                          {"name", member.name},
                          {"peakBytes", member.peakBytes},
                          {"errors", member.errors},
                          {"blocks", std::move(blocks)}});
    }
    Json all = Json::array();
    std::int64_t bytes = 0;
    for (const Pool& pool : pools) {
        bytes += pool.poolBytes;
        all.push_back({{"space", pool.space},
                       {"buffers", pool.bytes},
                       {"poolBytes", pool.poolBytes},
                       {"oneByOneBytes", pool.oneByOneBytes},
                       {"separateBytes", pool.separateBytes}});
    }
    return {
        {"schema", "plimsoll.pool/1"}, {"poolBytes", bytes}, {"graphs", std::move(graphs)}, {"pools", std::move(all)}};
}

Result<ExitStatus> pool(PoolOptions options)
{
    options.outputs = {{"--json", options.json}};
    PLIMSOLL_TRY(checkOutputs(options.outputs, {options.graphs.begin(), options.graphs.end()}));
    std::vector<Member> members;
    std::vector<std::vector<Blocks>> blocks;
    for (const std::string& file : options.graphs) {
        options.graph = file;
        PLIMSOLL_ASSIGN(request, makeRequest(options));
        PLIMSOLL_ASSIGN(report, planFile(options, std::move(request)));
        const std::size_t errors = countFindings(report, Severity::Error);
        blocks.push_back(blocksOf(report));
        members.push_back({file, report.program.graph->name, report.memory.peakBytes, errors, blocks.back()});
    }
    const std::vector<Pool> pools = poolOf(blocks);
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, jsonText(poolJson(members, pools))));
    if (options.json != "-") PLIMSOLL_TRY(printText(poolText(members, pools)));
    const bool legal = std::ranges::all_of(members, [](const Member& member) { return member.errors == 0; });
    return legal ? ExitStatus::Fine : ExitStatus::Findings;
}

} // namespace

Command poolCommand()
{
    auto options = std::make_shared<PoolOptions>();
    return {.name = "pool",
            .meaning = "One pool of memory for several graphs that do not run at the same time",
            .arguments = joined(
                {{{"GRAPH", &options->graphs, "Graph files of any kind that 'plan' takes", true}},
                 planningArguments(*options),
                 {{"--json", &options->json, "Write it as JSON (plimsoll.pool/1) there; '-' is standard output"}}}),
            .run = [options] { return pool(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
