#include "core/formats/plimsoll/plan_json.h"

#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto plan = readPlanJson({reinterpret_cast<const char*>(data), size}, {});
    if (plan.ok() && !readPlanJson(planJsonText(plan.value()), {}).ok()) std::abort();
    return 0;
}
