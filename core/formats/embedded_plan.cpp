#include "core/formats/embedded_plan.h"

#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/hlo/hlo_proto_reader.h"
#include "core/formats/packing/packing_file.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/plimsoll/graph_in_file.h"
#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {
namespace {

Result<PlanFile> readTablePlan(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(table, readPackingFile(file));
    auto plan = packingPlan(table);
    if (!plan) return Error {ErrorCode::BadInput, "Not every row has an offset: this is no plan.", {}, file.string()};
    return *std::move(plan);
}

} // namespace

std::optional<Result<PlanFile>> embeddedPlan(std::span<const std::byte> bytes, const std::filesystem::path& file)
{
    const auto named = [&](Result<PlanFile> plan) {
        if (plan.ok()) plan.value().file = file.string();
        return plan;
    };
    const GraphPlace place = graphPlace(file);
    if (looksLikeTflite(bytes)) return named(tflitePlan(bytes, place.graph, place.file));
    if (looksLikeExecutorch(bytes)) return named(executorchPlan(bytes, place.graph, place.file));
    if (looksLikeHloProto(bytes)) return named(hloPlan(bytes, place.graph, place.file));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (looksLikePackingFile(text)) return named(readTablePlan(file));
    return std::nullopt;
}

} // namespace plimsoll
