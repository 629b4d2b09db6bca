#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence CoreErrors[] = {
    {"policy.unknown", "There is no policy {0}; there are: {1}."},
    {"stopped.planning", "Planning was stopped."},
    {"stopped.placement", "Placement was stopped."},
};

} // namespace

std::span<const Sentence> errorsOfCore()
{
    return CoreErrors;
}

} // namespace plimsoll::sentences
