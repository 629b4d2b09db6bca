#pragma once

#include "app/session/engine.h"

namespace plimsoll::app {

class JobRunner;
class StartPage;

/// Plans each sample as it opens, which takes milliseconds, and gives the page the plans in small.
void drawSamples(StartPage& page, JobRunner& worker, const Engine& engine);

} // namespace plimsoll::app
