#include "core/formats/executorch/executorch_reader.h"
#include "core/formats/formats.h"

namespace plimsoll {

const Format ExecutorchFormat {
    .id = "executorch",
    .title = "ExecuTorch",
    .name = "ExecuTorch program",
    .plural = "formats.executorch",
    .extensions = "pte",
    .mediaType = "application/x-executorch",
    .magic = {4, "ET12"},
    .howToGet = "A .pte program, as `to_executorch()` makes it.",
    .plan = "judged",
    .runs = "fingerprints",
    .terms = {16, BackendPolicy::Captured},
    .several = true,
    .recognise = hasMagic<ExecutorchFormat>,
    .read = readExecutorch,
};

} // namespace plimsoll
