#pragma once

#include "core/lower/choose/device_offers.h"

/// What speaks against an offer before times are compared. Private to the folder.
namespace plimsoll::dispatching {

class Admission
{
public:
    Admission(const Graph& graph, const DispatchRequest& request);

    /// \p node is one of the graph, or one that is about to take its place.
    [[nodiscard]] Refusal refuse(const Node& node, const Implementation& offer) const;

    [[nodiscard]] const DeviceRules& devices() const { return m_devices; }

private:
    void noteMutated(NodeId node);
    [[nodiscard]] Refusal refuseLayouts(const Node& node, const Implementation& offer) const;
    [[nodiscard]] Refusal refuseWeights(const Node& node, const Implementation& offer) const;
    [[nodiscard]] Refusal refusePadding(const Node& node, const Implementation& offer) const;
    [[nodiscard]] bool fits(ValueId value, std::string_view layout) const;
    [[nodiscard]] Refusal unknownLayout(ValueId value, std::string_view layout) const;

    const Graph& m_graph;
    const DispatchRequest& m_request;
    DeviceRules m_devices;
    std::vector<bool> m_mutated; ///< By ValueId.
};

/// Whether the offer computes a node along with those that are fused into it, no more and no less.
[[nodiscard]] bool computesTheSame(const Graph& graph, const std::vector<FusedNode>& fused,
                                   const Implementation& offer);

/// The backend's own word for a tensor in a layout, or what the layout's name says; -1 where neither is known.
[[nodiscard]] std::int64_t bytesIn(const TensorType& type, std::string_view layout, std::int64_t stated);
/// What an implementation takes beyond the logical bytes of what it reads and writes during the run. Weights that are
/// prepared ahead of it lie in no arena.
[[nodiscard]] std::int64_t tensorPadding(const Graph& graph, const Node& node, const Implementation& implementation);
/// The same with what is prepared.
[[nodiscard]] std::int64_t paddingBytes(const Graph& graph, const Node& node, const Implementation& implementation);

} // namespace plimsoll::dispatching
