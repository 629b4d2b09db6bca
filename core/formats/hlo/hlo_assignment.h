#pragma once

#include "core/formats/hlo/hlo_module.h"

namespace plimsoll::hlo {

/// Which instruction makes a tensor, and where it stands in the tuples of its result.
struct Location
{
    std::int64_t instruction = 0; ///< Instruction::id
    Path path;
};

/// A tensor that needs bytes, or a table of addresses for a tuple.
struct LogicalBuffer
{
    std::int64_t id = 0;
    std::int64_t size = 0;           ///< Bytes, with what the layout fills up.
    std::int64_t color = 0;          ///< The number of its memory.
    std::vector<Location> locations; ///< Where it is made, then where else the same bytes are.
};

/// One piece of memory that XLA's runtime takes at once.
struct Allocation
{
    struct Assigned
    {
        std::int64_t buffer = 0; ///< LogicalBuffer::id
        std::int64_t offset = 0; ///< Bytes.
        std::int64_t size = 0;
    };
    std::int64_t index = 0;
    std::int64_t size = 0;
    std::int64_t color = 0;
    bool constant = false;
    bool threadLocal = false; ///< Of what is applied element by element: on the stack.
    bool liveOut = false;     ///< It may hold a result of the program.
    bool entryParameter = false;
    std::int64_t parameter = 0; ///< Of the entry, where it is one of its parameters.
    Path path;                  ///< Which part of that.
    std::vector<Assigned> assigned;
};

/// The memory plan that XLA made: its buffer assignment.
struct Assignment
{
    std::vector<LogicalBuffer> buffers;
    std::vector<Allocation> allocations;
};

/// A program with its plan, if it has one.
struct Program
{
    Module module;
    std::optional<Assignment> assignment;
    std::string device = "cpu"; ///< The memory of values that name none.
};

} // namespace plimsoll::hlo
