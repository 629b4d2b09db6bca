#include "core/formats/formats.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

} // namespace

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

Message readableFormats()
{
    return say("text", allOf(Formats, [](const Format* format) { return say(format->plural); }));
}

std::string mediaTypeList()
{
    std::string text;
    for (const Format* format : Formats) {
        if (!format->mediaType.empty()) text += std::string(format->mediaType) + ";";
    }
    return text;
}

std::string mimeTypesXml()
{
    std::string text;
    for (const Format* format : Formats) {
        if (format->mediaType.empty()) continue;
        text += "  <mime-type type=\"" + std::string(format->mediaType) + "\">\n    <comment>" +
                std::string(format->name) + "</comment>\n";
        const std::string_view parent = format->mediaType.ends_with("+json")     ? "application/json"
                                        : format->mediaType.starts_with("text/") ? "text/plain"
                                                                                 : "";
        if (!parent.empty()) text += "    <sub-class-of type=\"" + std::string(parent) + "\"/>\n";
        if (!format->magic.bytes.empty())
            text += "    <magic><match type=\"string\" offset=\"" + std::to_string(format->magic.offset) +
                    "\" value=\"" + std::string(format->magic.bytes) + "\"/></magic>\n";
        text += "    <glob pattern=\"*." + extensionsOf(*format).front() + "\"/>\n  </mime-type>\n";
    }
    return text;
}

} // namespace plimsoll
