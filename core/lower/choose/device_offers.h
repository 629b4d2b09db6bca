#pragma once

#include "core/lower/choose/dispatch.h"
#include "core/lower/written_families.h"

/// What speaks against computing a node in the memory of a device. Private to the folder.
namespace plimsoll::dispatching {

/// Why an offer is not taken, whatever its time. Nothing where \c rule is empty.
struct Refusal
{
    std::string rule;
    Message reason;
};

class DeviceRules
{
public:
    DeviceRules(const Graph& graph, const DispatchRequest& request);

    [[nodiscard]] Refusal refuse(const Node& node, const Implementation& offer) const;
    /// The device of all nodes that touch the bytes of a value written in place; empty is the CPU, and nothing
    /// where it is not written in place.
    [[nodiscard]] std::optional<std::string> writtenOn(ValueId value) const { return m_written.deviceOf(value); }

private:
    void settleWritten();
    void propose(WrittenFamilies::Family& family) const;
    [[nodiscard]] std::string unableOn(const WrittenFamilies::Family& family) const;
    [[nodiscard]] bool computesOn(NodeId node, const std::string& device) const;
    [[nodiscard]] bool isNamed(const Node& node, const Implementation& offer) const;
    [[nodiscard]] Refusal refusePlace(const Node& node) const;
    [[nodiscard]] Refusal refuseValue(ValueId value, const std::string& device) const;

    const Graph& m_graph;
    const DispatchRequest& m_request;
    std::string m_preferred; ///< Value of the policy backend.
    WrittenFamilies m_written;
};

} // namespace plimsoll::dispatching
