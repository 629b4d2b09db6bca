#include "core/formats/hlo/hlo_reader.h"
#include "core/formats/bad_input.h"

#include "core/base/heap.h"
#include "core/formats/files/utf8.h"
#include "core/formats/graph_choice.h"
#include "core/formats/hlo/hlo_emitter.h"
#include "core/formats/hlo/hlo_scanner.h"
#include "core/formats/hlo/hlo_text.h"

namespace plimsoll {
using namespace hlo;

bool looksLikeHloText(std::string_view text)
{
    if (text.empty() || std::string_view(" \t\r\n/EH\xEF").find(text.front()) == std::string_view::npos) return false;
    Scanner scanner(withoutByteOrderMark(text));
    return scanner.accept("HloModule") || scanner.accept("ENTRY");
}

Result<FormatContent> readHloText(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    const std::vector<ModuleText> modules = findModules(withoutByteOrderMark(input.text()));
    if (modules.empty()) return badInput(say("hlo.no-heading"));
    std::vector<std::string> names;
    for (const ModuleText& module : modules)
        names.push_back(module.name);
    PLIMSOLL_ASSIGN(chosen, chooseGraph(names, input.graph, "hlo.no-program"));
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(module, parseModule(modules[chosen], context, room));
    PLIMSOLL_ASSIGN(made, Emitter(module, context, room, false).run());
    if (!module.entryIsMarked)
        made.build.notes.push_back(say("note.hlo-no-entry", word::Name {module.computations.front().name}));
    module = {};
    giveBackPages();
    PLIMSOLL_ASSIGN(graph, std::move(made).finish(input.stem(names[chosen])));
    FormatContent content {std::move(graph)};
    noteOthers(content, names, chosen, "note.several-programs");
    return content;
}

} // namespace plimsoll
