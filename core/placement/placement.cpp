#include "core/placement/placement.h"

#include "core/base/bytes.h"
#include "core/placement/search/search.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace plimsoll {
namespace {

/// The one with the largest number is named: it is to blame more likely than the one that is added last.
BufferFault tooMuch(const Problem& problem)
{
    const auto number = [](const Buffer& b) { return std::max({b.bytes, b.alignment, b.pinnedOffset.value_or(0)}); };
    const auto largest = std::ranges::max_element(problem.buffers, {}, number);
    const std::int64_t alignment = std::max(largest->alignment, problem.arenas[largest->arena.index()].alignment);
    return {static_cast<std::size_t>(largest - problem.buffers.begin()),
            largest->pinnedOffset ? say("buffer.too-far", largest->bytes, *largest->pinnedOffset, alignment)
                                  : say("buffer.too-much", largest->bytes, alignment)};
}

/// No algorithm goes higher than the pins, then every buffer on top with its alignment: if that sum fits in 63 bits,
/// plain arithmetic is safe from here on.
std::optional<BufferFault> findOverflow(const Problem& problem)
{
    std::int64_t pins = 0;
    std::int64_t sum = 0;
    std::int64_t coarsest = 1;
    std::int64_t largest = 1;
    for (const Arena& arena : problem.arenas)
        coarsest = std::max(coarsest, arena.alignment);
    for (const Buffer& buffer : problem.buffers) {
        coarsest = std::max(coarsest, buffer.alignment);
        largest = std::max({largest, buffer.bytes, buffer.pinnedOffset.value_or(0)});
    }
    const auto summands = static_cast<std::int64_t>(problem.buffers.size()) + 1;
    if (std::max(largest, coarsest) < std::numeric_limits<std::int64_t>::max() / 8 / summands) return std::nullopt;
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        const auto rounded = checkedAlignUp(buffer.bytes, problem.arenas[buffer.arena.index()].alignment);
        const auto padded = rounded ? checkedAdd(*rounded, coarsest - 1) : std::nullopt;
        const auto pin = padded ? checkedAdd(buffer.pinnedOffset.value_or(0), *padded) : std::nullopt;
        const auto all = padded ? checkedAdd(sum, *padded) : std::nullopt;
        if (!all || !pin) return tooMuch(problem);
        sum = *all;
        pins = std::max(pins, *pin);
    }
    const auto total = checkedAdd(pins, sum);
    if (!total || !checkedAdd(*total, coarsest)) return tooMuch(problem);
    return std::nullopt;
}

} // namespace

std::optional<BufferFault> findFault(const Problem& problem)
{
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.bytes < 0) return BufferFault {index, say("buffer.size")};
        if (buffer.alignment < 1) return BufferFault {index, say("buffer.alignment")};
        if (buffer.pinnedOffset.value_or(0) < 0) return BufferFault {index, say("buffer.pin")};
        if (!buffer.arena.valid() || buffer.arena.index() >= problem.arenas.size())
            return BufferFault {index, say("buffer.arena")};
    }
    return findOverflow(problem);
}

Status checkProblem(const Problem& problem)
{
    for (std::size_t arena = 0; arena < problem.arenas.size(); ++arena) {
        if (problem.arenas[arena].alignment >= 1) continue;
        return Error {ErrorCode::BadInput, say("buffer.alignment"), "arena " + std::to_string(arena), {}};
    }
    const std::optional<BufferFault> fault = findFault(problem);
    if (!fault) return {};
    return Error {ErrorCode::BadInput, fault->message, "buffer " + std::to_string(fault->buffer), {}};
}

Result<Plan> place(const Problem& problem, std::string_view algorithm, const Context& context)
{
    SearchOptions options;
    options.workLimit = defaultWorkLimit(problem.buffers.size());
    PLIMSOLL_ASSIGN(answer, search(problem, algorithm, options, context));
    if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
    return std::move(answer.plan);
}

} // namespace plimsoll
