#include "core/advice/plan_sweep.h"

#include "core/base/bytes.h"
#include "core/facts/completeness.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {
namespace {

std::optional<std::int64_t> sizeIn(std::string_view text)
{
    std::int64_t size = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), size);
    const bool whole = fault == std::errc() && end == text.data() + text.size() && size >= 0;
    return whole ? std::optional(size) : std::nullopt;
}

std::vector<std::string> partsOf(std::string_view text)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Error fault(Message what)
{
    return {ErrorCode::BadUsage, std::move(what), {}, {}};
}

/// "6" as it is; "1..10" as 1, 2, 4, 8, 10.
Result<std::vector<std::string>> sizesIn(std::string_view text)
{
    const std::size_t dots = text.find("..");
    const auto first = sizeIn(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : sizeIn(text.substr(dots + 2));
    const bool rises = first && last && (*first == *last || (*first > 0 && *first < *last));
    if (!rises) return fault(say("sweep.size", word::Name {std::string(text)}));
    std::vector<std::string> sizes;
    for (std::int64_t size = *first; size < *last; size = checkedMultiply(size, 2).value_or(*last))
        sizes.push_back(std::to_string(size));
    sizes.push_back(std::to_string(*last));
    return sizes;
}

Result<std::vector<std::string>> valuesOf(const PolicyInfo& policy, const std::vector<std::string>& given)
{
    if (given == std::vector<std::string> {"*"}) {
        if (policy.values.empty()) return fault(say("sweep.no-list", word::Name {std::string(policy.id)}));
        return std::vector<std::string>(policy.values.begin(), policy.values.end());
    }
    std::vector<std::string> values;
    for (const std::string& value : given) {
        const bool range = policy.values.empty() && value.find("..") != std::string::npos;
        PLIMSOLL_ASSIGN(several, range ? sizesIn(value) : std::vector {value});
        values.insert(values.end(), several.begin(), several.end());
    }
    Policies unused;
    for (const std::string& value : values)
        PLIMSOLL_TRY(setPolicy(unused, policy.id, value));
    return values;
}

/// The combination of number \p i.
std::vector<std::string> combination(const std::vector<SweepAxis>& axes, std::size_t i)
{
    std::vector<std::string> values(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        values[axis] = axes[axis].values[i % axes[axis].values.size()];
        i /= axes[axis].values.size();
    }
    return values;
}

Result<PlanRequest> requestOf(PlanRequest request, const std::vector<SweepAxis>& axes,
                              const std::vector<std::string>& values)
{
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].ofPolicy) {
            PLIMSOLL_SET(request, withChange(request, {axes[i].name, values[i]}));
        } else {
            request.shapes.dims[axes[i].name] = *sizeIn(values[i]);
        }
    }
    return request;
}

} // namespace

Result<SweepAxis> readSweepAxis(std::string_view text)
{
    const std::size_t equals = text.find('=');
    const bool whole = equals != std::string_view::npos && equals > 0 && equals + 1 < text.size();
    if (!whole) return fault(say("sweep.form", word::Name {std::string(text)}));
    SweepAxis axis {std::string(text.substr(0, equals)), false, {}};
    const std::vector<std::string> given = partsOf(text.substr(equals + 1));
    if (const PolicyInfo* policy = findPolicy(axis.name)) {
        axis.ofPolicy = true;
        PLIMSOLL_SET(axis.values, valuesOf(*policy, given));
        return axis;
    }
    for (const std::string& part : given) {
        if (part == "*") return fault(say("sweep.no-policy", word::Name {axis.name}, word::Name {part}));
        PLIMSOLL_ASSIGN(sizes, sizesIn(part));
        axis.values.insert(axis.values.end(), sizes.begin(), sizes.end());
    }
    return axis;
}

Result<Sweep> sweep(const PlanRequest& request, std::vector<SweepAxis> axes,
                    const std::function<Result<Report>(PlanRequest)>& plan, const Context& context)
{
    std::int64_t count = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        count = checkedMultiply(count, std::ssize(axes[i].values)).value_or(MostSweepPoints + 1);
        const auto same = [&](const SweepAxis& other) { return other.name == axes[i].name; };
        if (std::count_if(axes.begin(), axes.end(), same) > 1)
            return fault(say("sweep.twice", word::Name {axes[i].name}));
    }
    if (count > MostSweepPoints) return fault(say("sweep.many", word::Number {count}, word::Number {MostSweepPoints}));
    Sweep result {std::move(axes), {}, false};
    std::optional<Error> firstFault;
    for (std::int64_t i = 0; i < count && !result.stopped; ++i) {
        SweepPoint point;
        point.values = combination(result.axes, static_cast<std::size_t>(i));
        context.report(sweepText(result.axes, point.values), static_cast<double>(i) / static_cast<double>(count));
        PLIMSOLL_ASSIGN(asked, requestOf(request, result.axes, point.values));
        const Result<Report> report = plan(std::move(asked));
        if (!report.ok() && !firstFault) firstFault = report.error();
        result.stopped = context.stopped();
        if (result.stopped) break;
        if (report.ok()) {
            point.cost = costOf(report.value());
            point.lowerBoundBytes = report.value().memory.lowerBoundBytes;
            point.complete = incompleteText(report.value()).empty();
            point.errors = countFindings(report.value(), Severity::Error);
        } else {
            point.refused = report.error().message;
        }
        result.points.push_back(std::move(point));
    }
    const bool none =
        std::ranges::none_of(result.points, [](const SweepPoint& point) { return point.refused.empty(); });
    if (firstFault && none) return *firstFault;
    return result;
}

} // namespace plimsoll
