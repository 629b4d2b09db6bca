#pragma once

#include <array>
#include <string_view>

/// What others reach on the same instances, measured on a 2-core machine from their public sources (their first plan
/// within 1 % where there is one; SuperMalloc with 8 threads; minimalloc told the capacity). "*": proved optimal.
struct Rival
{
    std::string_view instance;
    std::string_view best;    ///< Ratio to the load, and who.
    std::string_view fastest; ///< The fastest public plan of at most 1.01 where that is another one.
};

inline constexpr std::array Rivals = {
    Rival {"A.1048576", "1.0000* SuperMalloc 0.19 s", "minimalloc 3.87 s"},
    Rival {"B.1048576", "1.0000* SuperMalloc 0.21 s", "minimalloc 2.60 s"},
    Rival {"C.1048576", "1.0000* SuperMalloc 0.015 s", "minimalloc 0.52 s"},
    Rival {"D.1048576", "1.0436 minimalloc 83 s, hinted", "SuperMalloc 1.0530 60 s"},
    Rival {"E.1048576", "1.0000* SuperMalloc 0.67 s", "minimalloc 2.75 s"},
    Rival {"F.1048576", "1.0000* SuperMalloc 0.28 s", "minimalloc 4.33 s"},
    Rival {"G.1048576", "1.0000* SuperMalloc 0.09 s", "minimalloc 1.35 s"},
    Rival {"H.1048576", "1.0000* SuperMalloc 0.40 s", "minimalloc 2.11 s"},
    Rival {"I.1048576", "1.0000* SuperMalloc 0.14 s", "minimalloc 4.20 s"},
    Rival {"J.1048576", "1.0404 minimalloc 79 s, hinted", "SuperMalloc 1.1077 60 s"},
    Rival {"K.1048576", "1.0000* SuperMalloc 0.08 s", "minimalloc 0.57 s"},
    Rival {"somas_resnet50", "1.0000* minimalloc 0.57 s", "OmniMalloc sweep 1.0086 0.3 ms"},
    Rival {"iopddl_G_1", "1.0000* OmniMalloc 36 ms", "ExecuTorch 1.0002 0.6 ms"},
    // On the traces themselves; ours are of their shape only (gen_traces.py).
    Rival {"like-pangu", "real: 1.0076 LiteRT 92 ms", "real: OmniMalloc hybrid 1.0077 52 ms"},
    Rival {"like-y", "real: 1.0004 OmniMalloc hybrid 0.12 s", ""},
    Rival {"like-s", "real: 1.0070 OmniMalloc hybrid 57 ms", ""},
    Rival {"train-1000", "1.0000* SuperMalloc 0.24 s", "OmniMalloc sweep 1.0055 0.4 ms"},
    Rival {"train-10000", "1.0031 OmniMalloc hybrid", "OmniMalloc hybrid 1.0086 65 ms"},
    Rival {"train-100000", "1.0022 OmniMalloc 8.7 s", "OmniMalloc sweep 1.0096 47 ms"},
    Rival {"train-1000000", "1.0009 OmniMalloc hybrid 1.2 s", ""},
    Rival {"deep-1000", "1.0000 several", ""},
    Rival {"deep-10000", "1.0000* TFLM 0.75 s", "OmniMalloc sweep 1.0001 2 ms"},
    Rival {"deep-100000", "1.0000 several", "OmniMalloc sweep 1.0000 42 ms"},
    Rival {"deep-1000000", "1.0000* OmniMalloc sweep 0.24 s", ""},
    Rival {"infer-1000", "1.0000* several", "TelaMalloc-like 1.0000* 33 ms"},
    Rival {"infer-10000", "1.0000* minimalloc 2.8 s", ""},
    Rival {"infer-100000", "1.0000* SuperMalloc 7.5 s", "OmniMalloc greedy 1.0000 0.66 s"},
    Rival {"infer-1000000", "1.0000* OmniMalloc greedy 6.8 s", ""},
    Rival {"mixed-1000", "1.0256 SuperMalloc 41 s", "none"},
    Rival {"mixed-10000", "1.0083 OmniMalloc tabu", "OmniMalloc greedy 1.0084 0.29 s"},
    Rival {"mixed-100000", "1.0110 OmniMalloc greedy 1.6 s", "none"},
    Rival {"mixed-1000000", "1.0000* TVM hill-climb 36 s, 3.3 GiB", "none"},
    Rival {"tight-1000", "1.2822 SuperMalloc 40 s", "none"},
    Rival {"tight-10000", "1.2448 SuperMalloc 63 s", "none"},
    Rival {"tight-100000", "1.3533 OmniMalloc 22 s", "none"},
    Rival {"tight-1000000", "1.2791 OmniMalloc hybrid", "none"},
};
