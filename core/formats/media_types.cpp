#include "core/formats/media_types.h"

#include "core/formats/formats.h"

namespace plimsoll {
namespace {

std::string_view parentOf(std::string_view mediaType)
{
    if (mediaType.ends_with("+json")) return "application/json";
    return mediaType.starts_with("text/") ? "text/plain" : "";
}

std::string mimeTypeXml(const Format& format)
{
    std::string text = "  <mime-type type=\"" + std::string(format.mediaType) + "\">\n    <comment>" +
                       std::string(format.name) + "</comment>\n";
    if (const std::string_view parent = parentOf(format.mediaType); !parent.empty())
        text += "    <sub-class-of type=\"" + std::string(parent) + "\"/>\n";
    if (!format.magic.bytes.empty())
        text += "    <magic><match type=\"string\" offset=\"" + std::to_string(format.magic.offset) + "\" value=\"" +
                std::string(format.magic.bytes) + "\"/></magic>\n";
    return text + "    <glob pattern=\"*." + extensionsOf(format).front() + "\"/>\n  </mime-type>\n";
}

} // namespace

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
        if (!format->mediaType.empty()) text += mimeTypeXml(*format);
    }
    return text;
}

} // namespace plimsoll
