#pragma once

#include "app/checks/check_options.h"
#include "kernels/device.h"

#include <nlohmann/json.hpp>

#include <string>

namespace plimsoll::checks {

/// What came of all checks.
struct Outcome
{
    nlohmann::ordered_json json; ///< plimsoll.device-checks/1
    std::string summary;         ///< "712 checks of 45 operators: 712 passed, 0 failed"
    bool failed = false;
};

/// { "schema", "device", "libraries": {name: version or why it is absent}, "seed",
///   "memory": [ {"case", "saved", "beforeBytes", "peakBytes", "afterBytes", "passed", "wrong"} ],
///   "checks": [ {"op", "case", "backward", "kernel", "inPlace": input or null, "maxError", "bound", "passed", "wrong"}
///   ], "copyBytesPerSecond", "timings": [ {"case", "kernel", "ms", "floorMs", "gapMs", "ofCopyBandwidth",
///   "operationsPerSecond", "libraryMs", "ofLibrary"} ], "allocations": [ {"way", "ms", "peakBytes"} ] }
///
/// Libraries and the last two lines on a device alone. The floor of a kernel is what its bytes take at the speed of a
/// copy; the library is cuBLAS, called by itself.
[[nodiscard]] Outcome runAll(kernels::Device& device, const Arguments& arguments);

/// A plimsoll.device-checks/1 in words: what failed, and what was measured, line by line. Empty
/// where nothing failed and nothing was measured.
[[nodiscard]] std::string tableOf(const nlohmann::ordered_json& json);

} // namespace plimsoll::checks
