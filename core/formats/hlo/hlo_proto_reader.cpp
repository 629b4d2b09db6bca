#include "core/formats/hlo/hlo_proto_reader.h"

#include "core/formats/graph_choice.h"
#include "core/formats/hlo/hlo_plan.h"
#include "core/formats/hlo/hlo_protobuf.h"

namespace plimsoll {
using namespace hlo;

bool looksLikeHloProto(const FormatInput& input)
{
    return looksLikeHloBinary(input.bytes) || looksLikeHloProtoText(input.text());
}

Result<FormatContent> readHloProto(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(choice, readProgram(input.bytes, input.graph, context));
    PLIMSOLL_ASSIGN(made, Emitter(choice.program.module, context).run(input.stem(choice.names[choice.chosen])));
    if (choice.program.assignment) setSpaces(choice.program, made.placed, made.graph);
    noteOthers(made.graph, choice.names, choice.chosen, "note.several-programs");
    if (!choice.program.assignment)
        return FormatContent {std::move(made.graph),
                              Error {ErrorCode::BadInput, "The program brings no buffer assignment.", {}, {}}};
    auto plan = planFrom(choice.program, made.placed, made.graph);
    if (!plan.ok()) made.graph.notes.push_back(plan.error().message);
    return FormatContent {std::move(made.graph), std::move(plan)};
}

} // namespace plimsoll
