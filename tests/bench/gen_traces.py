#!/usr/bin/env python3
"""Placement problems shaped like three published traces that are not at hand.

What is known of each: how many buffers, how many of them alive at once, the largest one over the load, and that they
are training steps: what the forward half keeps dies in the backward half, last kept first freed.

  pangu  18,692 buffers, 1,104 alive: 32 equal layers, few sizes, many small ones        (MindSpore SOMAS, pangu_2.6B)
  y      62,185 buffers, 9,331 alive, the largest 1.9 % of the load: sizes of all kinds  (IOPDDL Y_1)
  s      28,526 buffers, 3,218 alive: large and small mixed, many lives end early        (IOPDDL S_1)

Usage: gen_traces.py NAME [--seed S] [-o FILE]     writes id,lower,upper,size; standard library only
"""
import argparse
import random
import sys

KIB = 1024
# buffers, alive at the turning point, layers, sizes in KiB with weights, chance that a kept one is freed early, chance
# that a step of the backward half leaves a gradient for later
SHAPES = {
    "pangu": (18692, 1280, 32, [(5120, 5), (20480, 2), (15360, 1), (40960, 1), (200000, 0.3), (20, 4), (0.5, 6)], 0.1, 0.2),
    "y": (62185, 11350, 48, None, 0.15, 0.02),
    "s": (28526, 5850, 40, None, 0.5, 0.3),
}
STEEPNESS = {"y": 1.8, "s": 1.2}  # of sizes: larger means more small ones
LARGEST = {"y": 1 << 32, "s": 1 << 33}


def size_of(name, rng, sizes):
    if sizes:
        kib = rng.choices([s for s, _ in sizes], [w for _, w in sizes])[0]
        return int(kib * KIB)
    exponent = 9 + 22 * rng.random() ** STEEPNESS[name]
    bytes_ = int(2 ** int(exponent) * rng.choice((1, 1, 1, 1.5, 3)))
    return max(512, min(bytes_, LARGEST[name]) // 512 * 512)


def trace(name, rng):
    count, live, layers, sizes, early, late = SHAPES[name]
    per_layer = live // layers
    pattern = [(size_of(name, rng, sizes), rng.random() < early) for _ in range(per_layer)]
    short = max(1, (count - layers * per_layer) // (layers * per_layer * 2))
    out, kept, step = [], [], 0

    def passing():
        nonlocal step
        for _ in range(short):
            step += 1
            out.append((step, step + rng.choice((1, 1, 2, 2, 3, 6, 20)), size_of(name, rng, sizes)))

    for _ in range(layers):
        for size, freed_early in pattern:
            passing()
            step += 1
            if freed_early:
                out.append((step, step + int(rng.lognormvariate(5.5, 1.2)) + 2, size))
            else:
                kept.append((step, size))
    for begin, size in reversed(kept):
        passing()
        step += 1
        out.append((begin, step + 1, size))
        if rng.random() < late:
            out.append((step, step + int(rng.lognormvariate(5.5, 1.2)) + 2, size))
    while len(out) < count:  # what the optimizer does at the end
        step += 1
        out.append((step, step + rng.choice((1, 2, 4)), size_of(name, rng, sizes)))
    return out[:count]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("name", choices=sorted(SHAPES))
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("-o", default="-")
    a = p.parse_args()
    buffers = sorted(trace(a.name, random.Random(f"{a.name}-{a.seed}")))
    f = sys.stdout if a.o == "-" else open(a.o, "w", encoding="ascii")
    f.write("id,lower,upper,size\n")
    f.writelines(f"{i},{lo},{hi},{size}\n" for i, (lo, hi, size) in enumerate(buffers))
    if f is not sys.stdout:
        f.close()


if __name__ == "__main__":
    main()
