#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace plimsoll::mxnet {

/// A symbol file as it is written, in any of its dialects: nodes by number, texts for attributes.

struct Entry
{
    std::int64_t node = 0;
    std::int64_t output = 0;
    std::int64_t version = 0; ///< How often the variable was written before: above 0 it is auxiliary state.
};

struct Symbol;

struct SymbolNode
{
    std::string op; ///< "null" is a variable.
    std::string name;
    std::map<std::string, std::string> attributes; ///< "attrs", "attr" and "param" together.
    std::vector<Entry> inputs;
    std::vector<Symbol> subgraphs;
    std::string place; ///< "nodes[3]"

    [[nodiscard]] bool isVariable() const { return op == "null"; }
};

struct Symbol
{
    std::vector<SymbolNode> nodes;
    std::vector<Entry> heads;
    std::vector<std::int64_t> outputCounts; ///< By node, from node_row_ptr; empty where the file has none.
    std::int64_t version = 0;               ///< major × 10000 + minor × 100 + patch; 800 where the file does not say.
    bool numpyShapes = false;               ///< A size of 0 is one, and -1 unknown; else 0 is unknown.
    std::string place;
};

} // namespace plimsoll::mxnet
