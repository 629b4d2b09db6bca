#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

/// Parts that several sentences have.
constexpr Sentence CommonTable[] = {
    {"name", "{0}"},
    {"text", "{0}"},
    {"sentences", "{0} {1}"},
    {"error.at", "{0}: {1}"},
    {"error.named", "{0}: {1}"},
    {"clauses", "{0}; {1}"},
    {"list.more", "{0} and {1} more"},
    {"list.more-clauses", "{0}; and {1} more"},
    {"clause", "{0:-}"},
    {"inside", "{0:~}"},
    {"and", "{0} and {1}"},
    {"or", "{0} or {1}"},
    {"of", "{0} of {1}"},
    {"nothing", "nothing"},
    {"none", "none"},
    {"the-caller", "the caller"},
    {"memory-of-cpu", "the memory of the CPU"},
    {"memory-space", "Memory space {0}"},
    {"arena", "Arena {0} ({1})"},
    {"scratchpad", "the scratchpad of {0}"},
    {"node-at", "node {0} of stream {1} (step {2})"},
    {"place", "bytes {0}"},
    {"place.arena", "bytes {0} of arena {1} ({2})"},
    {"place.caller", "bytes {0} of what the caller has"},
    {"at", " at {0}"},
    {"at-step", " at step {0}"},
    {"before-the-run", " before the run"},
    {"plus", "{0} + {1}"},
    {"bytes", "{0} bytes"},
    {"bytes.too-many", "more than 63 bits of bytes"},
    {"of-bytes", " of {0} bytes"},
    {"same-bytes-as", "{0}, the same bytes as {1},"},
    {"bytes-as-declared", "bytes, as the graph declares,"},
};

} // namespace

std::span<const Sentence> common()
{
    return CommonTable;
}

} // namespace plimsoll::sentences
