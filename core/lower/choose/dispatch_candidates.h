#pragma once

#include "core/lower/choose/dispatch.h"

/// The parts of dispatch(): what may be chosen, the choice, and what it does to the graph. Private to the folder.
namespace plimsoll::dispatching {

/// The number of a layout in a memory, in one dispatch; 0 is plain in that of the CPU.
using LayoutId = int;
inline constexpr LayoutId Plain = 0;
inline constexpr LayoutId AnyLayout = -1; ///< Of an input that takes no part: absent, or prepared ahead.

class LayoutNames
{
public:
    LayoutNames() { (void)idOf(PlainLayout); }
    LayoutId idOf(std::string_view name, const std::string& device = {});
    /// AnyLayout where no offer names it.
    [[nodiscard]] LayoutId find(std::string_view name, const std::string& device = {}) const;
    [[nodiscard]] const std::string& name(LayoutId id) const { return m_forms[static_cast<std::size_t>(id)].name; }
    /// Empty is the CPU.
    [[nodiscard]] const std::string& device(LayoutId id) const { return m_forms[static_cast<std::size_t>(id)].device; }

private:
    struct Form
    {
        std::string name;
        std::string device;
    };
    std::vector<Form> m_forms;
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

    /// By ValueId: where inputs and outputs of the graph lie in the caller's memory; plain in any case.
    std::vector<LayoutId> homes;
    [[nodiscard]] LayoutId homeOf(ValueId value) const { return homes.empty() ? Plain : homes[value.index()]; }

    /// What was measured of reorders, by kind of tensor and the layouts from and to.
    std::map<std::tuple<int, LayoutId, LayoutId>, double> reorders;
    std::vector<int> kindOf; ///< By ValueId: its kind in \c reorders; -1 where nothing was measured of it.

    /// What a value takes from one layout and memory to another: a copy, a reorder on the CPU, or both.
    [[nodiscard]] double changeMs(const Graph& graph, ValueId value, LayoutId from, LayoutId to) const;
    /// What a reorder takes, as measured or as its bytes let expect.
    [[nodiscard]] double reorderMs(const Graph& graph, ValueId value, LayoutId from, LayoutId to) const;
    /// Nothing where it was not measured. Values that came later have no kind of their own: \p value is what they copy.
    [[nodiscard]] std::optional<double> measuredReorderMs(ValueId value, LayoutId from, LayoutId to) const;
    /// 0 where the size is not known.
    [[nodiscard]] std::int64_t bytesOf(const Graph& graph, ValueId value, LayoutId layout) const;
};

/// Stopped where \p context asks for it.
[[nodiscard]] Result<Candidates> collectCandidates(const Graph& graph, const DispatchRequest& request,
                                                   const DecisionLog& log, const Context& context);

/// Bytes that are moved in a millisecond where nothing was measured: 10 GB/s, half of what one core of a server reads.
inline constexpr double BytesPerMs = 1e7;

/// Of a reorder that reads and writes so many bytes: they are moved, and the call itself takes some time.
[[nodiscard]] inline double reorderMs(std::int64_t bytes)
{
    constexpr double CallMs = 0.002;
    return CallMs + static_cast<double>(bytes) / BytesPerMs;
}

/// Of a copy of so many bytes between the memories of the CPU and of a device: 12 GB/s, what PCIe 3 x16 carries from
/// and to ordinary memory, and 0.01 ms until it has begun and its end is known.
[[nodiscard]] inline double copyMs(std::int64_t bytes)
{
    constexpr double CallMs = 0.01;
    constexpr double CopiedPerMs = 1.2e7;
    return CallMs + static_cast<double>(bytes) / CopiedPerMs;
}

} // namespace plimsoll::dispatching
