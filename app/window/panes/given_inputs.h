#pragma once

#include "core/graph/graph.h"

#include <QString>

namespace plimsoll::app {

/// What stands for inputs as they are: a file that has the name of an input for its folder, and a test of ONNX for its
/// first set of data.
[[nodiscard]] QString inputsAt(const QString& path);

/// The folder that a run reads \p given from. A tensor of another name and an image get the name of their input, in \p
/// room: the input that they are named after, else the only one, for an image the only one that can hold one.
///
///     digit.png  →  room/input_0.npy, for the input x float32[1,1,28,28]
///
/// An image is scaled to the height and width of its input. Real numbers get 0 to 1, uint8 0 to 255.
/// Errors: BadInput.
[[nodiscard]] Result<QString> inputsFolder(const QString& given, const Graph& graph, const QString& room);

} // namespace plimsoll::app
