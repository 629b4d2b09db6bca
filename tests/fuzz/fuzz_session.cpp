#include "core/formats/plimsoll/session_json.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto read = readSessionJson({reinterpret_cast<const char*>(data), size}, {});
    if (read.ok() && !readSessionJson(sessionJsonText(read.value().session), {}).ok()) std::abort();
    return 0;
}
