#pragma once

#include "core/ops/counterparts.h"
#include "core/ops/node_facts.h"

#include <memory>

namespace plimsoll {

/// A node as its counterpart, for the functions in the row of that.
class CounterpartNode
{
public:
    /// \p counterpart and what \p facts are about must last.
    CounterpartNode(const NodeFacts& facts, const Counterpart& counterpart);
    ~CounterpartNode();
    CounterpartNode(const CounterpartNode&) = delete;
    CounterpartNode& operator=(const CounterpartNode&) = delete;

    [[nodiscard]] NodeFacts& facts() { return m_facts; }

private:
    class StandIns;

    std::unique_ptr<StandIns> m_source;
    Node m_node;
    NodeFacts m_facts;
};

} // namespace plimsoll
