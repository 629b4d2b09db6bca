#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence LowerErrors[] = {
    {"derivatives.line", "{0:-}."},
    {"given-sizes", "{0} That follows from the sizes that were given ({1}); the graph allows others."},
    {"types.does-not-follow", "its size does not follow from the types of its inputs"},
    {"types.no-shape", "the file gives no shape for {0}"},
    {"types.run-sizes", "{0} has sizes that only the run knows"},
    {"types.unbounded", "nothing says how much of {0} is kept at most"},
    {"types.unknown-input", "input {0} of it is unknown"},
    {"types.unknown-operator", "operator {0} is not known and the file gives no type"},
};

} // namespace

std::span<const Sentence> errorsOfLower()
{
    return LowerErrors;
}

} // namespace plimsoll::sentences
