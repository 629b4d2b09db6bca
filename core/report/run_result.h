#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// What came out of executing a plan; the "run" part of a report. Values and nodes by name, since it may come from
/// another process.
struct RunResult
{
    struct Output
    {
        std::string name;
        DType dtype = DType::Unknown;
        Shape shape;
        std::vector<std::string> elements; ///< As text that round-trips, at most 1,024.
        std::string digest;                ///< Of all bytes, hexadecimal.
    };
    struct Mismatch
    {
        std::string value;
        std::string node; ///< The node that reads or produces the spoiled bytes.
        std::int64_t step = 0;
        double maxAbsDiff = 0; ///< NaN where the type has no difference.
        std::string note;      ///< "guard zone after the arena was written", …
    };
    std::string mode;    ///< "numeric", "fingerprint"
    std::string backend; ///< "reference", "onednn+reference"
    std::int64_t fingerprintedNodes = 0;
    std::int64_t measuredPeakBytes =
        0; ///< High-water mark of arena bytes really touched, in the accounting of peakBytes.
    std::int64_t unplannedPeakBytes = 0; ///< High-water mark of the fallback allocator.
    std::vector<double> stepMs;          ///< By step of the schedule; loops add up.
    std::int64_t comparedValues = 0;     ///< Against the oracle, after the step that wrote them.
    std::int64_t comparedBytes = 0;
    std::int64_t referenceValues = 0; ///< With --reference: values compared within their operator's bound.
    std::vector<Mismatch> mismatches;
    std::vector<Output> outputs;
};

} // namespace plimsoll
