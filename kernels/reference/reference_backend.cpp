#include "kernels/reference/reference_backend.h"

#include "core/ops/sparse_rules.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/special/sparse_kernels.h"

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

class ReferenceSession : public BackendSession
{
public:
    Status run(KernelCall& call, const Implementation&) override
    {
        const Node& node = call.node();
        const NodeId id {static_cast<std::size_t>(&node - call.graph().nodes.data())};
        const bool sparse = touchesSparse(call.graph(), id);
        const KernelFunction kernel =
            sparse ? findSparseKernel(node.domain, node.op) : findReferenceKernel(node.domain, node.op);
        if (!kernel) return Error {ErrorCode::Unsupported, say("run.missing-kernel", qualifiedOp(node)), {}, {}};
        return kernel(call);
    }
};

} // namespace

KernelFunction findReferenceKernel(std::string_view domain, std::string_view op)
{
    if (const KernelFunction gradient = findGradientKernel(domain)) return gradient;
    static const Registry registry = joinFamilies();
    const auto found = registry.find({domain == "ai.onnx" ? "" : domain, op});
    return found == registry.end() ? nullptr : found->second;
}

std::unique_ptr<BackendSession> beginReference()
{
    return std::make_unique<ReferenceSession>();
}

} // namespace plimsoll::kernels
