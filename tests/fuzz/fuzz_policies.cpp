#include "core/plan/policies.h"

#include <cstdlib>
#include <string>

/// "id=value" lines; what is taken reads back as a value that is taken, too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    Policies policies;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const std::size_t cut = std::min(line.find('='), line.size());
        const std::string_view id = line.substr(0, cut);
        if (cut == line.size() || !setPolicy(policies, id, line.substr(cut + 1)).ok()) continue;
        Policies again;
        if (!setPolicy(again, id, policyValue(policies, id)).ok()) std::abort();
    }
    return 0;
}
