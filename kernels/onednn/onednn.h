#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "kernels/kernel.h"

#include <memory>

namespace plimsoll::kernels {

/// Whether this program was built with oneDNN.
[[nodiscard]] bool oneDnnAvailable();

/// Asks oneDNN, for every node of an inferred graph that it can compute exactly as ONNX means it, which implementations
/// it would take in which layouts, how many bytes those need and how large a scratchpad. In float32, and in bfloat16
/// where the CPU has it. Empty where the library is absent. Answers hold for this machine: they depend on the
/// instruction set and on the number of threads, which are recorded in Catalogue::environment. Times are estimated;
/// with \p measure every offer is executed a few times instead, which takes that long.
[[nodiscard]] Catalogue describeWithOneDnn(const Graph& graph, bool measure, const Context& context);

/// Runs nodes that were planned with one of those implementations. Keeps the primitives of one run: they are made once
/// for a node, and again where its shapes change.
class OneDnnSession
{
public:
    OneDnnSession();
    ~OneDnnSession();
    OneDnnSession(const OneDnnSession&) = delete;
    OneDnnSession& operator=(const OneDnnSession&) = delete;

    /// Computes the node as \p chosen says, or reorders. Unsupported where the library is absent or has nothing for it.
    [[nodiscard]] Status run(KernelCall& call, const Implementation& chosen);

private:
    struct Cache;
    std::unique_ptr<Cache> m_cache;
};

} // namespace plimsoll::kernels
