#include "kernels/onednn/onednn.h"

namespace plimsoll::kernels {

struct OneDnnSession::Cache
{
};

bool oneDnnAvailable()
{
    return false;
}

Catalogue describeWithOneDnn(const Graph&, bool, const Context&)
{
    return {};
}

OneDnnSession::OneDnnSession() = default;
OneDnnSession::~OneDnnSession() = default;

Status OneDnnSession::run(KernelCall& call, const Implementation&)
{
    return Error {ErrorCode::Unsupported,
                  "this program was built without oneDNN (Debian: libdnnl-dev ocl-icd-opencl-dev)",
                  "node '" + call.node().name + "'",
                  {}};
}

} // namespace plimsoll::kernels
