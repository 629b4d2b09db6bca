#include "core/formats/hlo/hlo_reader.h"

#include "core/formats/files/utf8.h"
#include "core/formats/hlo/hlo_graph.h"
#include "core/formats/hlo/hlo_scanner.h"
#include "core/formats/hlo/hlo_text.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace hlo;

std::vector<std::string> namesOf(const std::vector<ModuleText>& modules, const ModuleText* without)
{
    std::vector<std::string> names;
    for (const ModuleText& module : modules) {
        if (&module != without) names.push_back(module.name);
    }
    return names;
}

Result<const ModuleText*> choose(const std::vector<ModuleText>& modules, std::string_view wanted)
{
    if (modules.empty()) return Error {ErrorCode::BadInput, "No line of the text begins with 'HloModule'.", {}, {}};
    if (wanted.empty()) return &modules.front();
    const auto found =
        std::find_if(modules.begin(), modules.end(), [&](const ModuleText& module) { return module.name == wanted; });
    if (found != modules.end()) return &*found;
    return noSuchProgram(wanted, namesOf(modules, nullptr));
}

} // namespace

bool looksLikeHloText(std::string_view text)
{
    if (text.empty() || std::string_view(" \t\r\n/H\xEF").find(text.front()) == std::string_view::npos) return false;
    return Scanner(withoutByteOrderMark(text)).accept("HloModule");
}

Result<Graph> readHloText(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    const std::vector<ModuleText> modules = findModules(withoutByteOrderMark(input.text()));
    PLIMSOLL_ASSIGN(chosen, choose(modules, input.graph));
    PLIMSOLL_ASSIGN(module, parseModule(*chosen, context));
    PLIMSOLL_ASSIGN(made, makeGraph(module, input.stem(chosen->name), context));
    noteOthers(made.graph, chosen->name, namesOf(modules, chosen));
    return std::move(made.graph);
}

} // namespace plimsoll
