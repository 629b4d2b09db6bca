#pragma once

#include "core/base/progress.h"
#include "core/lower/types/infer_types.h"
#include "core/plan/implementation.h"
#include "core/plan/policies.h"

#include <set>

namespace plimsoll::kernels {

struct Backend;

struct BackendQuestion
{
    bool measure = false; ///< Execute every offer of a library a few times instead of estimating its time.
    /// Backends whose offers are wanted though they cannot run here, or have estimates only where times are measured.
    /// Of others that cannot run, nothing is said.
    std::set<std::string, std::less<>> named {};
};

/// Adds to \p all what one backend offers for an inferred graph, or why it is not asked.
void askBackend(const Backend& backend, const Graph& graph, const BackendQuestion& question, const Context& context,
                Catalogue& all);

/// What every backend of this machine offers for the nodes of \p graph, with the sizes that \p shapes gives it, and in
/// Catalogue::environment what the answer depends on: library versions, instruction set, number of threads. The
/// reference offers itself for everything it has a kernel for and is listed where another backend is. Times are
/// estimated, unless they are to be measured: then every offer of a library, the reorders between them and the
/// reference are executed a few times, as far as that takes seconds at most (reference_times.h), and the reference is
/// listed for every node that it was executed for; what has estimates only is left out, unless it is named.
[[nodiscard]] Result<Catalogue> describeBackends(const Graph& graph, const InferenceRequest& shapes,
                                                 const Context& context, const BackendQuestion& question = {});
/// The same of a graph whose types are known: nothing but a stop fails.
[[nodiscard]] Result<Catalogue> describeInferred(const InferredGraph& inferred, const Context& context,
                                                 const BackendQuestion& question);

/// What the policy backend names is asked, though it cannot run here; where there are pins, which may name any offer,
/// so are all backends.
[[nodiscard]] BackendQuestion questionFor(const Policies& policies, const std::map<std::string, std::string>& pins);
/// All that describe themselves wherever they are.
[[nodiscard]] std::set<std::string, std::less<>> backendsDescribedAnywhere();

} // namespace plimsoll::kernels
