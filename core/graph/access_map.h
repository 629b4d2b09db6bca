#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace plimsoll {

/// Where an element of a result looks along one axis of an operand:
///
///     index = start + step * index of the result along axis `from` + what only a run knows
struct AccessAxis
{
    static constexpr int Any = -1; ///< Any index: what is summed up, looked up, or not known.
    static constexpr int One = -2; ///< One index for all elements: broadcast.
    int from = Any;                ///< An axis of the result, or Any, or One.
    std::int64_t step = 1;
    std::int64_t start = 0;
    std::map<std::size_t, std::int64_t> moved {}; ///< By what only a run knows: how often that is added.

    friend bool operator==(const AccessAxis&, const AccessAxis&) = default;
};

/// Which elements of an operand one element of a result is made of. Indices outside of the operand are not read.
///
///     slice [2:5]        index = 2 + i            concatenation, second of 3 + 3        index = i - 3
///     transposition      index_0 = i_1, index_1 = i_0          sum over axis 1          index_0 = i_0, index_1 any
///     stack, third       index_0 = i_1, only where i_0 = 2     unstack, third           index_0 = 2, index_1 = i_0
struct AccessMap
{
    enum class Kind : std::uint8_t {
        Nothing,  ///< None: its content is not read.
        Order,    ///< The one at the same place in the order of elements, whatever the shapes.
        Axes,     ///< Those that the axes say.
        Anything, ///< Any of them.
    };
    Kind kind = Kind::Anything;
    std::vector<AccessAxis> axes {};             ///< By axis of the operand.
    std::map<std::size_t, std::int64_t> only {}; ///< By axis of the result: where along it the operand is read at all.

    friend bool operator==(const AccessMap&, const AccessMap&) = default;
};

/// The element at the same index.
[[nodiscard]] AccessMap sameIndex(std::size_t rank);

/// Whether an element is made of no other element than that at its own index or place, if of any.
[[nodiscard]] bool staysInPlace(const AccessMap& map);

/// What one operation inside a node makes its result of.
struct InnerOperand
{
    bool inner = false;    ///< A result of an earlier operation inside; else an input of the node.
    std::size_t index = 0; ///< Of the operation or input.
    AccessMap map;
    bool early = false; ///< Read before anything is written.
};

/// What happens inside a node that holds several operations, or of which a file says it: which bytes are read for
/// which.
struct InnerOperations
{
    std::vector<std::vector<InnerOperand>> operands; ///< By operation, in an order of execution.
    std::vector<std::size_t> results;                ///< By output of the node: the operation that makes it.
};

} // namespace plimsoll
