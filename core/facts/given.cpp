#include "core/facts/given.h"

namespace plimsoll {
namespace {

Message exactly(std::int64_t bytes)
{
    return bytes < 1024 ? say("given.bytes", bytes) : say("given.size", bytes, word::Size {bytes});
}

} // namespace

Message givenSentence(const Report& report)
{
    const auto& given = report.verdict.given;
    if (!given) return {};
    return say("given", exactly(given->peakBytes),
               given->ownPeakBytes ? say("given.own", exactly(*given->ownPeakBytes)) : Message(),
               exactly(given->anySharingBoundBytes));
}

} // namespace plimsoll
