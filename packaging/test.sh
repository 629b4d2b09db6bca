#!/usr/bin/env bash
# packaging/test.sh [--cuda] [arguments of ctest…]
# Installs what is missing, builds (with warnings as errors where CI=true), checks the formatting and runs every test.
# With --cuda, also those of a CUDA device, where there is one.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
say "Checking the formatting"
quietly format "$root/packaging/format.sh" --check
if [ "${CI:-}" = true ]; then build ci; else build release; fi
say "Running the tests"
mkdir -p "$root/build/runtime" && chmod 700 "$root/build/runtime"
cd "$root/build" && exec ctest --output-on-failure --no-tests=error -j "$(nproc)" "$@"
