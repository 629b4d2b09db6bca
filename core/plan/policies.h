#pragma once

#include "core/base/result.h"
#include "core/graph/gradient_request.h"
#include "core/plan/finding.h"
#include "core/plan/reserved_bytes.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class OutputsPolicy : std::uint8_t { Independent, ReadOnly, CopyOnWrite, External, Shared };
enum class InputsPolicy : std::uint8_t { Protect, ShareIdentity, Donate };
enum class InplacePolicy : std::uint8_t { On, IdentityOnly, Off };
enum class SubbuffersPolicy : std::uint8_t { On, Off };
enum class CsePolicy : std::uint8_t { Off, On };
enum class DcePolicy : std::uint8_t { Off, On };
enum class FoldPolicy : std::uint8_t { Shapes, All, Off };
enum class SavedPolicy : std::uint8_t { Guarded, Guarded2019, SaveAll, Exact };
enum class RecomputePolicy : std::uint8_t { Off, Cheap };
enum class DonationPolicy : std::uint8_t { Off, On };
enum class OrderPolicy : std::uint8_t { Captured };
enum class PaddingPolicy : std::uint8_t { On, Off };
enum class ChoosePolicy : std::uint8_t { Fastest, Smallest, FastestWithin };
enum class FusionPolicy : std::uint8_t { On, Off };
enum class BackendPolicy : std::uint8_t { Auto, Reference, OneDnn, Cuda, Captured };
enum class SparsePolicy : std::uint8_t { Native, Dense };
enum class DynamicPolicy : std::uint8_t { Fallback, Bounded };
enum class ReplayPolicy : std::uint8_t { Once, Graph };

inline constexpr std::int64_t CapturedStreams = 0;

/// Every choice the user can toggle. Defaults are the first value of each policy.
struct Policies
{
    OutputsPolicy outputs = OutputsPolicy::Independent;
    InputsPolicy inputs = InputsPolicy::Protect;
    InplacePolicy inplace = InplacePolicy::On;
    SubbuffersPolicy subbuffers = SubbuffersPolicy::On;
    CsePolicy cse = CsePolicy::Off;
    DcePolicy dce = DcePolicy::Off;
    FoldPolicy fold = FoldPolicy::Shapes;
    SavedPolicy saved = SavedPolicy::Guarded;
    GradientRequest gradients = GradientRequest::Write; ///< Of variables that do not say so themselves.
    std::string calls = "once";                         ///< How the graph is called, see calls.h.
    RecomputePolicy recompute = RecomputePolicy::Off;
    DonationPolicy donation = DonationPolicy::Off;
    bool retainGraph = false;   ///< What is kept for backward stays until the last backward pass has ended.
    std::int64_t backwards = 1; ///< So many backward passes; gradients add up.
    OrderPolicy order = OrderPolicy::Captured;
    BackendPolicy backend = BackendPolicy::Auto;
    ChoosePolicy choose = ChoosePolicy::Fastest;
    FusionPolicy fusion = FusionPolicy::On;
    PaddingPolicy padding = PaddingPolicy::On;
    SparsePolicy sparse = SparsePolicy::Native;
    DynamicPolicy dynamic = DynamicPolicy::Fallback;
    std::int64_t streams = 1; ///< Nodes run on so many; CapturedStreams: on those that the graph file says.
    ReplayPolicy replay = ReplayPolicy::Once;
    std::string placement = "best"; ///< Id of a placement algorithm, or "best".
    std::int64_t matchRange = 16;   ///< Of storage-reuse, as the next two: see BlockRule.
    bool matchRangeSearch = false;
    std::int64_t colours = 1;    ///< Nodes are painted in so many, and a block stays with its colour. 1: they are not.
    std::int64_t alignment = 64; ///< Bytes; a power of two.
    std::map<std::string, std::int64_t> capacity;               ///< Memory space → bytes; absent is unlimited.
    std::map<std::string, std::vector<ReservedBytes>> reserved; ///< Memory space → what is kept free.

    friend bool operator==(const Policies&, const Policies&) = default;
};

struct PolicyInfo;
/// How the value of one policy is read and set as text.
struct PolicyAccess
{
    std::string (*get)(const Policies&, const PolicyInfo&) = nullptr;
    Status (*set)(Policies&, const PolicyInfo&, std::string_view text) = nullptr;
};

/// The stages of planning, in their order; core/pipeline/stages.h has what each makes.
enum class Stage : std::uint8_t {
    Lower,      ///< Types, folding, the backward graph, calls.
    Implement,  ///< Implementations, fusion, streams.
    LiveRanges, ///< Whose bytes each value has, and when they matter.
    Place,      ///< Sharing and offsets.
    Judge,
};

/// What a graph must have, or a plan, for a policy to change anything.
enum class PolicyNeed : std::uint8_t {
    Operators, ///< Nodes that compute something: those of a table of buffers are moments of time.
    Loss,
    Backward, ///< A backward graph: captured, or made for a loss.
    SparseTensors,
    DynamicSizes, ///< Tensors whose size only the run knows.
    Offers,       ///< Implementations of backends: none count where backend=captured.
};

/// One policy as the window, the command line and the manual show it.
struct PolicyInfo
{
    std::string_view id;
    PolicyAccess access;
    Stage stage = Stage::Lower; ///< The first that it changes: what earlier stages made holds for each of its values.
    std::string_view title;
    std::string_view meaning;                    ///< One sentence.
    std::vector<std::string_view> values;        ///< The first is the default. Empty: free text (numbers, sizes).
    std::vector<std::string_view> valueMeanings; ///< One for each of values.
    std::vector<PolicyNeed> needs {};            ///< All of them.
    std::string_view onlyWith {};                ///< "placement=storage-reuse": without it, it has no effect.
    bool graphDecides = false; ///< The default is that of the graph and its plan: core/formats/terms.h.
    /// Rules that a plan breaks which was made under another of its values. Empty: it chooses, and restricts nothing.
    std::vector<Rule> enforcedBy {};
};
[[nodiscard]] std::span<const PolicyInfo> policyTable();
/// Its row; null where there is no such policy.
[[nodiscard]] const PolicyInfo* findPolicy(std::string_view id);

/// Whether the other policies let it have one.
[[nodiscard]] bool hasEffect(const Policies& policies, const PolicyInfo& policy);

/// Whether values are shared and placed by the rules of MXNet's planner.
[[nodiscard]] inline bool plansLikeMxnet(const Policies& policies)
{
    return policies.placement == "storage-reuse";
}

/// The value of a policy as text: "independent", "64", "cpu=1048576". Capacity without limits is "none", and so is
/// nothing reserved.
[[nodiscard]] std::string policyValue(const Policies& policies, std::string_view id);

/// Sets one policy from text. BadUsage names the policies, or the values, that exist.
[[nodiscard]] Status setPolicy(Policies& policies, std::string_view id, std::string_view value);

} // namespace plimsoll
