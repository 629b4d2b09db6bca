#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// Counts n-grams of a pool in rows of words or numbers.
[[nodiscard]] Status tfIdfVectorizer(KernelCall& call);

} // namespace plimsoll::kernels
