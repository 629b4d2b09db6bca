#pragma once

#include "core/plan/program.h"

namespace plimsoll::kernels {

/// A node, and what makes one of its operands later.
struct TooEarly
{
    NodeId reader;
    NodeId maker;
};

/// The first nodes of the body that run before what they read is made.
[[nodiscard]] std::optional<TooEarly> findTooEarly(const Program& program, BodyId body);

} // namespace plimsoll::kernels
