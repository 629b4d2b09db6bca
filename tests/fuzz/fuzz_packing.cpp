#include "core/formats/packing/packing_csv.h"

#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
    static_cast<void>(plimsoll::readPackingCsv(text));
    return 0;
}
