#pragma once

#include <string>

namespace plimsoll::test {

/// What of a network is trained.
enum class Trained {
    All,
    Normalization, ///< Scales and biases of normalizations only: the rest is frozen.
    Head,          ///< The last layer only.
};

/// ResNet-18 with its loss, as graph text: 18 layers with weights, stages of 1, 2, 4 and 8 times \p width channels.
[[nodiscard]] std::string resNet18(int batch, int size, int width, Trained trained);

/// ResNet-152 with its loss, as graph text, of blocks that normalize before they convolve.
[[nodiscard]] std::string preactivationResNet152(int batch, int size);

/// A transformer encoder over tokens with its loss, as graph text.
[[nodiscard]] std::string transformer(int layers, int batch, int length, int width, Trained trained);

} // namespace plimsoll::test
