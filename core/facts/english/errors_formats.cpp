#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence FormatsErrors[] = {
    {"stopped.reading", "Stopped while reading."},
};

} // namespace

std::span<const Sentence> errorsOfFormats()
{
    return FormatsErrors;
}

} // namespace plimsoll::sentences
