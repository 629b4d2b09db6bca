#include "core/facts/given.h"

#include "core/facts/words/number_text.h"

namespace plimsoll {
namespace {

std::string exactly(std::int64_t bytes)
{
    return bytes < 1024 ? bytesText(bytes) + " B" : bytesText(bytes);
}

} // namespace

std::string givenSentence(const Report& report)
{
    if (!report.verdict.given) return {};
    std::string text = "The given plan needs " + exactly(report.verdict.given->peakBytes);
    if (report.verdict.given->ownPeakBytes)
        text +=
            "; our own plan of the same graph, order and terms needs " + exactly(*report.verdict.given->ownPeakBytes);
    return text + "; no plan of this order and terms is below " + exactly(report.verdict.given->anySharingBoundBytes) +
           ", whatever shares.";
}

} // namespace plimsoll
