#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

#include <optional>

class QWidget;

namespace plimsoll::app {

enum class OffsetUse : std::uint8_t {
    Move, ///< In the plan as it is: what it would meet is said; its own offset is no answer.
    Keep  ///< Of a plan that is made around it.
};

/// At which offset of its arena something is to lie; nothing: none was chosen. Says what is wrong as one types.
[[nodiscard]] std::optional<std::int64_t> askForOffset(QWidget* parent, const Report& report, const Focus& what,
                                                       OffsetUse use);

} // namespace plimsoll::app
