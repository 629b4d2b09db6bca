#pragma once

#include <future>
#include <system_error>
#include <type_traits>

namespace plimsoll {

/// Begins \p work on a thread of its own; where none is to be had it is done when this returns.
template <typename Work>
[[nodiscard]] std::future<std::invoke_result_t<Work&>> beside(Work work)
{
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        std::packaged_task<std::invoke_result_t<Work&>()> now(std::move(work));
        now();
        return now.get_future();
    }
}

} // namespace plimsoll
