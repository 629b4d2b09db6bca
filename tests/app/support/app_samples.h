#pragma once

#include "app/session/engine.h"

#include <QString>

#include <memory>

namespace plimsoll::test {

/// A small network with in-place and shared values; its plan has a finding of advice (a dead output).
[[nodiscard]] Graph smallGraph();

/// What the engine makes of a graph; aborts the test program where it cannot be planned.
[[nodiscard]] std::shared_ptr<const Report> planned(const Graph& graph, const Policies& policies = {});

/// Plans at once, without a search where no time is given: something is left to search for.
[[nodiscard]] app::Engine unsearchingEngine();

/// An example that ships with the application, by its file name.
[[nodiscard]] QString exampleFile(const QString& name);

} // namespace plimsoll::test
