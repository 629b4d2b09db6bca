#include "core/formats/formats.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {

const Format* findFormat(std::string_view id)
{
    const auto* const found =
        std::find_if(std::begin(Formats), std::end(Formats), [id](const Format* format) { return format->id == id; });
    return found == std::end(Formats) ? nullptr : *found;
}

const Format* formatOf(const FormatInput& input)
{
    for (const bool rest : {false, true}) {
        for (const Format* format : Formats) {
            if (format->takesRest == rest && format->recognise(input)) return format;
        }
    }
    return nullptr;
}

std::vector<std::string> extensionsOf(const Format& format)
{
    std::vector<std::string> extensions;
    for (std::string_view rest = format.extensions; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        extensions.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return extensions;
}

std::string readableFormats()
{
    std::string text;
    for (const Format* format : Formats) {
        if (!text.empty()) text += format == *std::prev(std::end(Formats)) ? " and " : ", ";
        text += format->plural;
    }
    return text;
}

} // namespace plimsoll
