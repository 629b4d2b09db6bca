#include "core/facts/english/sentences.h"

namespace plimsoll::sentences {
namespace {

constexpr Sentence KernelsErrors[] = {
    {"checks.output", "output {0}: {1}"},
    {"compare.element", "element {0}: {1}"},
    {"device.failed", "{0} (on {1}; {2})"},
    {"device.or-emulate", "{0:-}. {1} runs the same kernels on the host."},
    {"cudnn", "cuDNN {0:-}."},
    {"cudnn.not-found", "is not found ({0})"},
    {"cudnn.not-usable", "cannot be used: {0}"},
    {"kernel.refuses", "{0}: {1}"},
    {"kernel.refuses-on-cuda", "{0} on a CUDA device: {1}"},
    {"library.absent", "absent: {0}"},
    {"probe.between", "writing outputs between forward and backward changed it: {0}"},
    {"probe.stale", "a second run did not refresh it: {0}"},
    {"probe.unpredicted", "writing {0} changed {1} bytes of it, against the plan"},
    {"replay.broken-rule", "the plan breaks a rule: {0}"},
    {"replay.differs", "{0} differs from the oracle: {1}"},
    {"replay.output", "output {0}: {1}"},
    {"run.backend-differs", "{0} against the reference kernel: {1}"},
    {"run.failed-planned", "under the plan its node failed: {0}"},
    {"run.false-identity", "declared to be the bytes of {0}, but the node changes them: {1}"},
    {"run.fingerprinted", "{0} fingerprinted: {1}"},
    {"run.from-spoiled", "computed from spoiled inputs"},
    {"run.in-order", "in the order: {0}"},
    {"run.in-second", "in the second run, over what was written after the first"},
    {"run.iteration", "iteration {0}"},
    {"run.misfit", "It cannot be run with these inputs: {0} {1}"},
    {"run.misfit-drawn", "Give {0} with {1}, or run with {2}, which goes on with hashes."},
    {"run.misfit-given", "The given inputs and the declared shapes do not go together."},
    {"run.no-kernel", "no kernel for {0}"},
    {"run.not-launched", "It could not be launched as a whole: {0}"},
    {"run.not-replayed", "The plan was not replayed with other inputs: {0}"},
    {"run.sparse-differs", "the sparse kernel against the dense one: {0}"},
};

} // namespace

std::span<const Sentence> errorsOfKernels()
{
    return KernelsErrors;
}

} // namespace plimsoll::sentences
