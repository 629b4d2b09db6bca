#include "core/report/run_json.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

/// What the worker of a run says to the window and the command line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto run = readRunJson({reinterpret_cast<const char*>(data), size});
    if (!run.ok()) return run.error().message.empty() ? std::abort(), 1 : 0;
    const std::string written = nlohmann::ordered_json {{"run", runJson(run.value())}}.dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    const auto again = readRunJson(written);
    if (!again.ok() || again.value().mismatches.size() != run.value().mismatches.size()) std::abort();
    return 0;
}
