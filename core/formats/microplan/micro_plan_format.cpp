#include "core/formats/formats.h"
#include "core/formats/microplan/micro_plan.h"

namespace plimsoll {

const Format MicroPlanFormat {
    .id = "micro-plan",
    .title = "TensorFlow Lite Micro's plan",
    .name = "memory plan of TensorFlow Lite Micro",
    .plural = "formats.micro-plan",
    .extensions = "log txt",
    .howToGet = "A log with what the planner of an interpreter prints (`PrintMemoryPlan()`).",
    .plan = "judged",
    .terms = {1, BackendPolicy::Captured}, // Sizes are printed as they were rounded.
    .several = true,
    .recognise = looksLikeMicroPlan,
    .readTable = readMicroPlan,
};

} // namespace plimsoll
