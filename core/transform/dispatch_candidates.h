#pragma once

#include "core/transform/dispatch.h"

/// The parts of dispatch(): what may be chosen, the choice, and what it does to the graph. Private to the folder.
namespace plimsoll::dispatching {

/// A layout's number in one dispatch; 0 is plain.
using LayoutId = int;
inline constexpr LayoutId Plain = 0;
inline constexpr LayoutId AnyLayout = -1; ///< Of an input that takes no part: absent, or prepared ahead.

class LayoutNames
{
public:
    LayoutNames() { (void)idOf(PlainLayout); }
    LayoutId idOf(std::string_view name);
    [[nodiscard]] const std::string& name(LayoutId id) const { return m_names[static_cast<std::size_t>(id)]; }

private:
    std::vector<std::string> m_names;
};

struct Candidate
{
    Implementation implementation;
    double ms = 0;
    std::vector<LayoutId> inputs;  ///< By input.
    std::vector<LayoutId> outputs; ///< By output.
};

/// What may be chosen for every node: never empty.
struct Candidates
{
    std::vector<std::vector<Candidate>> ofNode; ///< By NodeId.
    LayoutNames layouts;
    /// What a value takes in a layout that is not plain, as a backend said; (value, layout) → bytes.
    std::map<std::pair<ValueId, LayoutId>, std::int64_t> bytes;

    /// 0 where the size is not known.
    [[nodiscard]] std::int64_t bytesOf(const Graph& graph, ValueId value, LayoutId layout) const;
};

/// Stopped where \p context asks for it.
[[nodiscard]] Result<Candidates> collectCandidates(const Graph& graph, const DispatchRequest& request,
                                                   const DecisionLog& log, const Context& context);

/// Bytes that are moved in a millisecond where nobody measured: 10 GB/s, half of what one core of a server reads.
inline constexpr double BytesPerMs = 1e7;

/// Of a reorder that reads and writes so many bytes: they are moved, and the call itself takes some time.
[[nodiscard]] inline double reorderMs(std::int64_t bytes)
{
    constexpr double CallMs = 0.002;
    return CallMs + static_cast<double>(bytes) / BytesPerMs;
}

} // namespace plimsoll::dispatching
