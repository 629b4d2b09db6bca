#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace plimsoll {

/// One way to compute a node, as a backend describes it. Plain data: it can be saved, shown and planned with where the
/// backend itself is absent.
struct Implementation
{
    std::string backend = "reference"; ///< "reference", "onednn", "cuda", or any name that an import brings
    std::string name;                  ///< As the library gives it: "jit:avx512_core", "gemm:jit"
    std::int64_t scratchpadBytes = 0;
    std::vector<std::int64_t> requiredOutputBytes; ///< By output, at least the logical bytes; empty means logical.
    struct InPlacePair
    {
        int output = 0;
        int input = 0;
        friend bool operator==(const InPlacePair&, const InPlacePair&) = default;
    };
    /// Narrows what the operator's traits allow. \c inPlaceKnown false: nothing narrower is known.
    bool inPlaceKnown = false;
    std::vector<InPlacePair> inPlace;

    friend bool operator==(const Implementation&, const Implementation&) = default;
};

/// What backends offer for the nodes of one graph, with the provenance of the answer. Made by kernels/ (asked of the
/// libraries, in a child process of the window) or read from a file; empty is the reference backend alone.
struct Catalogue
{
    std::map<std::string, std::vector<Implementation>> offers; ///< Node name → offers, the library's preference first.
    std::map<std::string, std::string> environment;            ///< "onednn" → "2.6.3", "isa", "threads", …

    friend bool operator==(const Catalogue&, const Catalogue&) = default;
};

} // namespace plimsoll
