#include "core/formats/hlo/hlo_proto_reader.h"

#include "core/formats/hlo/hlo_graph.h"
#include "core/formats/hlo/hlo_plan.h"
#include "core/formats/hlo/hlo_protobuf.h"
#include "core/formats/plimsoll/from_file.h"

namespace plimsoll {
namespace {

using namespace hlo;

struct ReadProgram
{
    ProgramChoice choice;
    ModuleGraph made;
};

Result<ReadProgram> readWhole(std::span<const std::byte> bytes, std::string_view wanted, const std::string& stem,
                              const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(choice, readProgram(bytes, wanted, context));
    PLIMSOLL_ASSIGN(made, makeGraph(choice.program.module, stem.empty() ? choice.name : stem, context));
    if (choice.program.assignment) setSpaces(choice.program, made.placed, made.graph);
    return ReadProgram {std::move(choice), std::move(made)};
}

Result<Graph> readAll(std::span<const std::byte> bytes, std::string_view wanted, const std::string& stem,
                      const Context& context)
{
    PLIMSOLL_ASSIGN(read, readWhole(bytes, wanted, stem, context));
    noteOthers(read.made.graph, read.choice.name, read.choice.others);
    if (!read.choice.program.assignment) return std::move(read.made.graph);
    const auto plan = planFrom(read.choice.program, read.made.placed, read.made.graph);
    if (!plan.ok()) read.made.graph.notes.push_back(plan.error().message);
    return std::move(read.made.graph);
}

} // namespace

bool looksLikeHloProto(std::span<const std::byte> bytes)
{
    return looksLikeHloBinary(bytes) ||
           looksLikeHloProtoText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<Graph> readHloProto(std::span<const std::byte> bytes, std::string_view wanted, const std::filesystem::path& file,
                           const Context& context)
{
    return fromFile(readAll(bytes, wanted, file.stem().string(), context), file);
}

Result<PlanFile> hloPlan(std::span<const std::byte> bytes, std::string_view wanted, const std::filesystem::path& file)
{
    const auto whole = [&]() -> Result<PlanFile> {
        PLIMSOLL_ASSIGN(read, readWhole(bytes, wanted, {}, {}));
        if (!read.choice.program.assignment)
            return Error {ErrorCode::BadInput, "The program brings no buffer assignment.", {}, {}};
        return planFrom(read.choice.program, read.made.placed, read.made.graph);
    };
    return fromFile(whole(), file);
}

} // namespace plimsoll
