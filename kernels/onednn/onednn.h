#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "kernels/kernel.h"

#include <memory>

namespace plimsoll::kernels {

/// Whether this program was built with oneDNN.
[[nodiscard]] bool oneDnnAvailable();

/// Asks oneDNN, for every node of an inferred graph that it can compute exactly as ONNX means it, which implementation
/// it would take, and how large a scratchpad. Plain layouts and float32 only. Empty where the library is absent.
/// Answers hold for this machine: they depend on the instruction set and on the number of threads, which are recorded
/// in Catalogue::environment.
[[nodiscard]] Catalogue describeWithOneDnn(const Graph& graph, const Context& context);

/// Runs nodes that were planned with one of those implementations. Keeps the primitives of one run: they are made once
/// for a node, and again where its shapes change.
class OneDnnSession
{
public:
    OneDnnSession();
    ~OneDnnSession();
    OneDnnSession(const OneDnnSession&) = delete;
    OneDnnSession& operator=(const OneDnnSession&) = delete;

    /// Unsupported where the library is absent or has nothing for this node.
    [[nodiscard]] Status run(KernelCall& call);

private:
    struct Cache;
    std::unique_ptr<Cache> m_cache;
};

} // namespace plimsoll::kernels
