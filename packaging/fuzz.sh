#!/bin/sh
# Fuzzes the readers and the planner: packaging/fuzz.sh [MINUTES] [TARGET], 10 minutes and all targets without. With
# clang libFuzzer drives them from tests/fuzz/corpus, else bytes are drawn. An input that fails is left in build-fuzz.
set -e
cd "$(dirname "$0")/.."
minutes=${1:-10}
seed=$(date +%s)
clang=$(ls /usr/bin/clang++-* 2> /dev/null | sort -V | tail -1)
clang=${clang:-clang++}
sample='#include <utility>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long n) { auto [a, b] = std::pair(n, n); return [&] { return a != b; }(); }'
if echo "$sample" | "$clang" -std=c++20 -fsanitize=fuzzer,address -x c++ -o /dev/null - 2> /dev/null; then
    cmake -S . -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DPLIMSOLL_FUZZ=ON -DPLIMSOLL_APP=OFF -DPLIMSOLL_UNITY=ON \
        -DPLIMSOLL_SANITIZE=address -DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link > /dev/null
    drive() { "$1" -max_total_time=$((minutes * 60)) -rss_limit_mb=4096 -timeout=20 -artifact_prefix=./ "$2"; }
else
    echo "libFuzzer is not here (clang 16 or later, libclang-rt-16-dev): bytes are drawn, seed $seed"
    cmake -S . -B build-fuzz -G Ninja -DPLIMSOLL_APP=OFF > /dev/null
    drive() { "$1" --random $((minutes * 60)) "$seed" "$2"/*; }
fi
targets=${2:-$(ls tests/fuzz/fuzz_*.cpp | sed 's#.*/##; s#\.cpp##')}
for target in $targets; do
    ninja -C build-fuzz "$target" > /dev/null
    corpus=build-fuzz/corpus/$target
    mkdir -p "$corpus"
    cp -n tests/fuzz/corpus/"$target"/* "$corpus"/ 2> /dev/null || true
    [ -n "$(ls "$corpus")" ] || printf 0 > "$corpus/seed"
    echo "== $target"
    (cd build-fuzz && drive "fuzz/$target" "corpus/$target")
done
