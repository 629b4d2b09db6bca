#pragma once

#include "fake_call.h"

#include <filesystem>

/// Replays ONNX backend-test folders (model.onnx, test_data_set_N/input_K.pb, output_K.pb) node by node with the
/// reference kernels alone.
namespace plimsoll::kernels::test {

struct Replay
{
    enum class Verdict { Passed, Failed, Unsupported };
    Verdict verdict = Verdict::Passed;
    std::string message;
};

/// \p inPlace: every node whose traits allow it writes over the bytes of its input.
[[nodiscard]] Replay replayFolder(const std::filesystem::path& folder, bool inPlace);

} // namespace plimsoll::kernels::test
