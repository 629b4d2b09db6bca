#include "app/cli/gates.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/plan/suppression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace plimsoll::cli {
namespace {

std::map<FindingName, std::int64_t> findingsOf(const Report& report)
{
    std::map<FindingName, std::int64_t> counts;
    for (const Finding& finding : report.verdict.findings)
        ++counts[nameOf(finding, *report.program.graph)];
    return counts;
}

std::int64_t newFindings(const Report& before, const Report& now)
{
    std::vector<Finding> findings = now.verdict.findings;
    takeOutKnown(findings, now, before);
    return std::ssize(findings);
}

/// What a gate can be about.
struct Quantity
{
    std::string_view name;
    bool bytes;
    std::int64_t (*of)(const Report& other, const Report& report);
};

constexpr std::array<Quantity, 7> Quantities = {
    {{"peak", true, [](const Report&, const Report& report) { return report.memory.peakBytes; }},
     {"lowerBound", true, [](const Report&, const Report& report) { return report.memory.lowerBoundBytes; }},
     {"boundary", true, [](const Report&, const Report& report) { return report.training.boundaryBytes; }},
     {"external", true, [](const Report&, const Report& report) { return report.memory.externalBytes; }},
     {"bytes", true,
      [](const Report&, const Report& report) {
          return checkedAdd(report.memory.peakBytes, report.memory.externalBytes).value_or(report.memory.peakBytes);
      }},
     {"findings", false,
      [](const Report&, const Report& report) { return static_cast<std::int64_t>(countFindings(report)); }},
     {"findings.new", false, newFindings}}};

std::optional<double> percent(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<Gate> gateFrom(const std::string& text)
{
    const std::size_t above = text.find('>');
    if (above == std::string::npos) return std::nullopt;
    const auto known = std::ranges::find(Quantities, std::string_view(text).substr(0, above), &Quantity::name);
    if (known == Quantities.end()) return std::nullopt;
    Gate gate {.text = text, .quantity = static_cast<std::size_t>(known - Quantities.begin())};
    std::string_view rest = std::string_view(text).substr(above + 1);
    if (rest.starts_with('+')) {
        gate.limit = Gate::Limit::Growth;
        rest.remove_prefix(1);
    }
    std::optional<double> number;
    if (gate.limit == Gate::Limit::Growth && rest.ends_with('%')) {
        gate.limit = Gate::Limit::Percent;
        number = percent(rest.substr(0, rest.size() - 1));
    } else if (const auto bytes = parseBytes(rest)) {
        number = static_cast<double>(*bytes);
    }
    if (!number) return std::nullopt;
    gate.number = *number;
    return gate;
}

plimsoll::Argument shown(const Quantity& quantity, std::int64_t number)
{
    return quantity.bytes ? plimsoll::Argument(word::Size {number}) : plimsoll::Argument(word::Number(number));
}

/// "peak, lowerBound, …"
std::string gateQuantities()
{
    std::string names;
    for (const Quantity& quantity : Quantities)
        names += (names.empty() ? "" : ", ") + std::string(quantity.name);
    return names;
}

} // namespace

std::size_t takeOutKnown(std::vector<Finding>& findings, const Report& now, const Report& before)
{
    auto known = findingsOf(before);
    return std::erase_if(findings, [&](const Finding& finding) {
        const auto found = known.find(nameOf(finding, *now.program.graph));
        return found != known.end() && found->second-- > 0;
    });
}

std::string gatesMeaning(const std::string& one, const std::string& other)
{
    return "QUANTITY>N, QUANTITY>+N or QUANTITY>+N%, as 'peak>+1%': exit 1 where " + one + " has more, with + than " +
           other + ". QUANTITY is one of " + gateQuantities() + "; may be repeated";
}

Result<std::vector<Gate>> readGates(const std::vector<std::string>& texts)
{
    std::vector<Gate> gates;
    for (const std::string& text : texts) {
        auto gate = gateFrom(text);
        if (!gate) {
            const std::string form =
                "QUANTITY>N, QUANTITY>+N or QUANTITY>+N%, such as peak>+1%, where QUANTITY is one of ";
            Message wrong = say("usage.form", "--fail-if", form + gateQuantities(), word::Name {text});
            return Error {ErrorCode::BadUsage, std::move(wrong), {}, {}};
        }
        gates.push_back(std::move(*gate));
    }
    return gates;
}

bool needsOther(const Gate& gate)
{
    return gate.limit != Gate::Limit::Most || Quantities[gate.quantity].of == newFindings;
}

Gated judge(const Gate& gate, const Report& before, const Report& now)
{
    const Quantity& quantity = Quantities[gate.quantity];
    Gated gated {quantity.of(before, before), quantity.of(before, now)};
    const auto old = static_cast<double>(gated.before);
    const double grown = static_cast<double>(gated.now) - old;
    switch (gate.limit) {
    case Gate::Limit::Most:
        gated.failed = static_cast<double>(gated.now) > gate.number;
        break;
    case Gate::Limit::Growth:
        gated.failed = grown > gate.number;
        break;
    case Gate::Limit::Percent:
        gated.failed = grown * 100 > gate.number * old;
        break;
    }
    const bool alone = &before == &now; // there is nothing to compare with
    if (gated.failed)
        gated.text = alone ? say("gate.failed-alone", gate.text, shown(quantity, gated.now))
                           : say("gate.failed", gate.text, shown(quantity, gated.before), shown(quantity, gated.now));
    return gated;
}

std::vector<Message> failuresOf(const std::vector<Gate>& gates, const Report& before, const Report& now)
{
    std::vector<Message> failures;
    for (const Gate& gate : gates) {
        if (Gated gated = judge(gate, before, now); gated.failed) failures.push_back(std::move(gated.text));
    }
    return failures;
}

std::string failuresText(const std::vector<Message>& failures)
{
    std::string text;
    for (const Message& failed : failures)
        text += english(failed) + "\n";
    return text;
}

} // namespace plimsoll::cli
