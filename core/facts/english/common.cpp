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
    {"language", "en"},    // of the texts, as HTML names it
    {"number", "1,234.5"}, // how numbers are written
    {"report.title", "Memory plan of {0}"},
    {"report.unnamed", "an unnamed graph"},
    {"where.scratchpad-of", "scratchpad of {0}"},
    {"where.inside", "never stored, inside {0}"},
    {"area.at-steps", "{0}, steps {1}"},
    {"source.module", "{0}, module {1}"},
    {"count.nodes", "{0:node}"},
    {"group.nodes", "nodes {0} to {1}"},
    {"group.block", "block {0}"},
    {"about.padding-of", "padding of {0}"},
    {"about.some-bytes", "{0}, bytes {1}"},
    {"about.texts", "{0:text}"},
    {"about.tensors", "{0:tensor}"},
    {"about.elements", "{0:element}"},
    {"about.rows", "{0:row}"},
    {"run.measured-in", "Measured in {0}"},
    {"outputs.kept", "{0}, {1} kept"},
    {"outputs.digest", "digest {0}"},
    {"outputs.digest-of-all", "digest of all bytes: {0}"},
    {"outputs.hashed", "bytes of a hash, read as {0}, not what the model would say: {1}"},
    {"graph.of-peak", "{0} peak"},
    {"graph.inputs", "{0:input}"},
    {"graph.outputs", "{0:output}"},
    {"writes.output", "output {0}, {1}"},
    {"writes.input", "input {0}, {1}"},
    {"writes.changed", "written, {0} changed"},
    {"bytes-as-declared", "bytes, as the graph declares,"},
};

} // namespace

std::span<const Sentence> common()
{
    return CommonTable;
}

} // namespace plimsoll::sentences
