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
    [[nodiscard]] LayoutId find(std::string_view name) const; ///< AnyLayout where no offer names it.
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

    /// What was measured of reorders, by kind of tensor and the layouts from and to.
    std::map<std::tuple<int, LayoutId, LayoutId>, double> reorders;
    std::vector<int> kindOf; ///< By ValueId: its kind in \c reorders; -1 where nothing was measured of it.

    /// What a reorder takes, as measured or as its bytes let expect.
    [[nodiscard]] double reorderMs(const Graph& graph, ValueId value, LayoutId from, LayoutId to) const;
    /// Nothing where nobody measured it. Values that came later have no kind of their own: \p value is what they copy.
    [[nodiscard]] std::optional<double> measuredReorderMs(ValueId value, LayoutId from, LayoutId to) const;
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
