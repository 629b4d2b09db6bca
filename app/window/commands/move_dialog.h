#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

#include <optional>

class QWidget;

namespace plimsoll::app {

/// At which offset of its arena something is to lie; nothing: where it is. Says what is wrong, or what it would meet,
/// as one types.
[[nodiscard]] std::optional<std::int64_t> askForOffset(QWidget* parent, const Report& report, const Focus& what);

} // namespace plimsoll::app
