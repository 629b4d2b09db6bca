#include "kernels/reference/gradients/gradients.h"
#include "kernels/reference/kernel_families.h"

#include <map>
#include <utility>

namespace plimsoll::kernels {
namespace {

using Registry = std::map<std::pair<std::string_view, std::string_view>, KernelFunction>;

Registry joinFamilies()
{
    Registry registry;
#define PLIMSOLL_TABLE_OF(name) name##Kernels,
    for (const KernelTable table : {PLIMSOLL_KERNEL_FAMILIES(PLIMSOLL_TABLE_OF)}) {
#undef PLIMSOLL_TABLE_OF
        for (const KernelEntry& entry : table)
            registry[{entry.domain, entry.op}] = entry.run;
    }
    return registry;
}

} // namespace

KernelFunction findReferenceKernel(std::string_view domain, std::string_view op)
{
    if (const KernelFunction gradient = findGradientKernel(domain)) return gradient;
    static const Registry registry = joinFamilies();
    const auto found = registry.find({domain == "ai.onnx" ? "" : domain, op});
    return found == registry.end() ? nullptr : found->second;
}

} // namespace plimsoll::kernels
