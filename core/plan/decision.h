#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What was decided.
enum class DecisionKind : std::uint8_t {
    Alias,          ///< What must share: views and versions.
    Identity,       ///< What may: a repeated content…
    InPlace,        ///< …a result over an input…
    HandOver,       ///< …what an owner and its body hand each other.
    PassThrough,    ///< An output that the graph does not compute.
    Copy,           ///< Of an output that has to have bytes of its own.
    Unplanned,      ///< A value that is allocated at run time.
    Fold,           ///< Computed ahead of the run.
    Merge,          ///< Of nodes that compute the same.
    Unroll,         ///< A loop that is written out.
    Save,           ///< From forward to backward.
    Recompute,      ///< In backward, instead of saving.
    Donation,       ///< To backward, of what was saved.
    StorageType,    ///< Who computes a node as its sparse tensors are kept.
    Implementation, ///< Who computes a node.
    Fusion,
    Placement, ///< By which rule offsets were chosen.
};
[[nodiscard]] std::string_view decisionKindId(DecisionKind kind); ///< "in-place": as reports say it.

/// Why a sharing was made or refused, why a value is kept or not planned, where a buffer went.
/// Recorded where the choice is made.
struct Decision
{
    DecisionKind kind = DecisionKind::Alias;
    std::string subject; ///< Name of the value or node it is about.
    std::string other;   ///< Name of the partner, if any.
    bool accepted = false;
    std::string rule; ///< Short and stable: "still-read", "size-differs"; see rules below for those that are read.
    Message reason;   ///< One sentence.
    std::int64_t bytes = 0; ///< At stake.
    friend bool operator==(const Decision&, const Decision&) = default;
};

/// Where choices are written down. The null form costs one branch: callers ask recording() before building text.
class DecisionLog
{
public:
    DecisionLog() = default;
    explicit DecisionLog(std::vector<Decision>& sink) : m_sink(&sink) {}

    [[nodiscard]] bool recording() const { return m_sink != nullptr; }
    void add(Decision decision) const
    {
        if (m_sink) m_sink->push_back(std::move(decision));
    }
    /// Takes back what no longer holds.
    template <typename Match>
    void retract(Match match) const
    {
        if (m_sink) std::erase_if(*m_sink, match);
    }

private:
    std::vector<Decision>* m_sink = nullptr;
};

/// Rules of decisions that are looked for: advice and summaries are made of them.
namespace rules {

inline constexpr std::string_view CallerBuffer = "caller-buffer";
inline constexpr std::string_view InputProtected = "input-protected";
inline constexpr std::string_view InputRefilled = "input-refilled";
inline constexpr std::string_view OutputIndependence = "output-independence";
inline constexpr std::string_view PaddingOff = "padding-off";
inline constexpr std::string_view PolicyOff = "policy-off";
inline constexpr std::string_view SavedExposed = "saved-exposed";

} // namespace rules

} // namespace plimsoll
