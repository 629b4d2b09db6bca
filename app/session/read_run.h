#pragma once

#include "core/base/result.h"
#include "core/facts/run_result.h"
#include "core/plan/implementation.h"

#include <QByteArray>

namespace plimsoll::app {

/// The "run" part of a plimsoll.report/1. BadInput where it is no such report or has none.
[[nodiscard]] Result<RunResult> runFromReport(const QByteArray& json);

/// What `plimsoll-cli catalogue` writes.
[[nodiscard]] Result<Catalogue> catalogueFromJson(const QByteArray& json);

} // namespace plimsoll::app
