#pragma once

#include "core/facts/report.h"

namespace plimsoll {

/// Takes out what is of one moment or one machine: times of planning, of the search and of a run, and the environment.
/// A time becomes NaN, which a JSON has as null and a table as blank; lists become empty. The rest follows from the
/// graph, the policies and the offers alone: two reports of the same then have the same bytes.
void leaveOutTimes(Report& report);
void leaveOutTimes(RunResult& run);
void leaveOutTimes(std::vector<Incumbent>& history);

} // namespace plimsoll
