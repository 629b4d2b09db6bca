#include "kernels/onednn/onednn.h"

namespace plimsoll::kernels {
namespace {

Error absent()
{
    return {ErrorCode::Unsupported, say("onednn.not-built"), {}, {}};
}

class AbsentSession : public BackendSession
{
public:
    Status run(KernelCall&, const Implementation&) override { return absent(); }
};

} // namespace

Status oneDnnHere()
{
    return absent();
}

Catalogue describeWithOneDnn(const Graph&, bool, const Context&)
{
    return {};
}

std::unique_ptr<BackendSession> beginOneDnn()
{
    return std::make_unique<AbsentSession>();
}

} // namespace plimsoll::kernels
