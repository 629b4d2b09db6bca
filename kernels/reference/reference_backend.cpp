#include "kernels/reference/reference_backend.h"

#include "core/ops/sparse_rules.h"
#include "kernels/reference/special/sparse_kernels.h"

namespace plimsoll::kernels {
namespace {

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
        if (!kernel) return Error {ErrorCode::Unsupported, "There is no kernel for " + qualifiedOp(node) + ".", {}, {}};
        return kernel(call);
    }
};

} // namespace

std::unique_ptr<BackendSession> beginReference()
{
    return std::make_unique<ReferenceSession>();
}

} // namespace plimsoll::kernels
