#include "kernels/onednn/measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unordered_map>

namespace plimsoll::kernels::onednn {
namespace {

constexpr int Executions = 5;
/// What takes longer is known well enough after one execution.
constexpr double LongMs = 10;

/// Bytes that the library allocates, all zero: no product takes longer for its numbers, but denormals would.
dnnl::memory zeroed(const dnnl::memory::desc& layout, const dnnl::engine& engine)
{
    dnnl::memory memory(layout, engine);
    if (layout.get_size() > 0) std::memset(memory.get_data_handle(), 0, layout.get_size());
    return memory;
}

double onceMs(const dnnl::primitive& primitive, dnnl::stream& stream,
              const std::unordered_map<int, dnnl::memory>& memories)
{
    const auto begin = std::chrono::steady_clock::now();
    primitive.execute(stream, memories);
    stream.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

double measureMs(const Recipe& recipe, const dnnl::engine& engine)
{
    try {
        std::unordered_map<int, dnnl::memory> memories;
        for (const Argument& argument : recipe.arguments)
            memories.emplace(argument.id, zeroed(argument.layout, engine));
        for (const Derived& derived : recipe.derived)
            memories.emplace(derived.id, zeroed(derived.layout, engine));
        memories.emplace(DNNL_ARG_SCRATCHPAD, zeroed(recipe.scratchpad, engine));
        const dnnl::primitive primitive = recipe.build();
        dnnl::stream stream(engine);
        double best = onceMs(primitive, stream, memories);
        for (int i = 0; i < Executions && best < LongMs; ++i)
            best = std::min(best, onceMs(primitive, stream, memories));
        return best;
    } catch (const std::exception&) {
        return -1;
    }
}

} // namespace plimsoll::kernels::onednn
