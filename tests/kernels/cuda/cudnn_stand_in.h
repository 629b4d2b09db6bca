#pragma once

/// Beside cuDNN's functions the library that stands in for it has these.
extern "C" {
/// From here on the function of that name returns \p code, by every call; "" none.
void standInFail(const char* function, int code);
/// What the last convolution was asked with, in words; "" where none was since the last call of this.
const char* standInLog();
}
