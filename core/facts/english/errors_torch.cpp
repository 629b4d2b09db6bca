#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence TorchErrors[] = {
    {"pt2.no-archive", "{0} (A .pt2 file of PyTorch's is such an archive.)"},
};

} // namespace

std::span<const Sentence> errorsOfTorch()
{
    return TorchErrors;
}

} // namespace plimsoll::sentences
