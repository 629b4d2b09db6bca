#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence AppErrors[] = {
    {"cli.no-catalogue", "plimsoll-cli did not answer with a catalogue: {0}"},
};

} // namespace

std::span<const Sentence> errorsOfApp()
{
    return AppErrors;
}

} // namespace plimsoll::sentences
