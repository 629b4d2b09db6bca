#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {

std::span<const Sentence> decisions()
{
    return {};
}

} // namespace plimsoll::sentences
