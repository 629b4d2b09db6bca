#include "core/report/run_json.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
std::optional<Number> parsed(const std::string& text)
{
    Number number {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Numbers as numbers, non-finite ones and strings as strings.
Json element(DType dtype, const std::string& text)
{
    if (dtype == DType::String) return text;
    if (text == "true" || text == "false") return text == "true";
    if (!isFloatingPoint(dtype)) {
        if (const auto number = parsed<std::int64_t>(text)) return *number;
        if (const auto number = parsed<std::uint64_t>(text)) return *number;
    }
    const auto number = parsed<double>(text);
    return number && std::isfinite(*number) ? Json(*number) : Json(text);
}

/// JSON has no NaN: a difference that is none is null.
Json finiteOrNull(double number)
{
    return std::isfinite(number) ? Json(number) : Json(nullptr);
}

Json outputJson(const RunResult::Output& output)
{
    Json data = Json::array();
    for (const std::string& text : output.elements)
        data.push_back(element(output.dtype, text));
    return {{"name", output.name},
            {"dtype", dtypeName(output.dtype)},
            {"shape", output.shape},
            {"data", std::move(data)},
            {"digest", output.digest}};
}

Json mismatchJson(const RunResult::Mismatch& mismatch)
{
    return {{"value", mismatch.value},
            {"node", mismatch.node},
            {"step", mismatch.step},
            {"maxAbsDiff", finiteOrNull(mismatch.maxAbsDiff)},
            {"note", mismatch.note}};
}

} // namespace

nlohmann::ordered_json runJson(const RunResult& run)
{
    Json mismatches = Json::array();
    for (const RunResult::Mismatch& mismatch : run.mismatches)
        mismatches.push_back(mismatchJson(mismatch));
    Json outputs = Json::array();
    for (const RunResult::Output& output : run.outputs)
        outputs.push_back(outputJson(output));
    return {{"mode", run.mode},
            {"backend", run.backend},
            {"fingerprintedNodes", run.fingerprintedNodes},
            {"measuredPeakBytes", run.measuredPeakBytes},
            {"unplannedPeakBytes", run.unplannedPeakBytes},
            {"stepMs", run.stepMs},
            {"compared", {{"values", run.comparedValues}, {"bytes", run.comparedBytes}}},
            {"referenceValues", run.referenceValues},
            {"mismatches", std::move(mismatches)},
            {"outputs", std::move(outputs)},
            {"gradients", Json::array()},
            {"writeProbe", Json::array()}};
}

} // namespace plimsoll
