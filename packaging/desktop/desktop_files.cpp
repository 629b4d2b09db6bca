#include "core/formats/formats.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace {

void fill(std::string& text, std::string_view mark, const std::string& with)
{
    if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
}

} // namespace

/// desktop_files TEMPLATE OUT: puts the media types of all formats into a desktop entry or a shared-mime-info file.
int main(int count, char** arguments)
{
    if (count != 3) return 2;
    std::ifstream in(arguments[1], std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    fill(text, "@MEDIA_TYPES@", plimsoll::mediaTypeList());
    fill(text, "@MIME_TYPES@\n", plimsoll::mimeTypesXml());
    std::ofstream out(arguments[2], std::ios::binary);
    out << text << std::flush;
    if (in && out) return 0;
    std::cerr << arguments[1] << ", " << arguments[2] << ": cannot be read, or written\n";
    return 1;
}
