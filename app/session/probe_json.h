#pragma once

#include "core/facts/run_result.h"

#include <QJsonObject>

#include <optional>
#include <string>

namespace plimsoll::app {

/// The write probe in the "run" part of a report: "writeProbe", "liveBytes" and "secondRun". Empty where none was made.
[[nodiscard]] std::optional<WriteProbe> probeFromRun(const QJsonObject& run);

/// "replayed": outputs that a second replay has changed. Empty where there was none.
[[nodiscard]] std::optional<std::vector<WriteProbe::Stale>> replayedFromRun(const QJsonObject& run);

/// An element as text; what JSON has no number for stands there as a string already.
[[nodiscard]] std::string elementText(const QJsonValue& value);

} // namespace plimsoll::app
