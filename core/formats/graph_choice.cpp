#include "core/formats/graph_choice.h"
#include "core/formats/bad_input.h"

#include "core/base/numbered_names.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

constexpr std::size_t MostNamed = 12;

} // namespace

Error noGraph(const std::vector<std::string>& names, std::string_view wanted, std::string_view none)
{
    return badInput(say(none, word::Name {std::string(wanted)}, namesOf(names, MostNamed)));
}

Result<std::size_t> chooseGraph(const std::vector<std::string>& names, std::string_view wanted, std::string_view none)
{
    const auto found = wanted.empty() ? names.begin() : std::ranges::find(names, wanted);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    return noGraph(names, wanted, none);
}

void noteOthers(FormatContent& content, const std::vector<std::string>& names, std::size_t chosen,
                std::string_view several)
{
    if (names.size() < 2) return;
    std::vector<std::string> others = names;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(chosen));
    content.graph.notes.push_back(say(several, word::Name {names[chosen]}, namesOf(others, MostNamed)));
    content.graphs = {names, chosen};
}

void numberRepeated(std::vector<std::string>& names)
{
    std::set<std::string> taken(names.begin(), names.end());
    std::set<std::string> seen;
    NumberedNames numbers("-");
    for (std::string& name : names) {
        if (seen.insert(name).second) continue;
        name = numbers.name(name, [&](const std::string& free) { return taken.insert(free).second; });
    }
}

} // namespace plimsoll
