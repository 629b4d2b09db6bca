#include "kernels/onednn/measure.h"

#include "kernels/best_time.h"

#include <chrono>
#include <cstring>
#include <unordered_map>

namespace plimsoll::kernels::onednn {
namespace {

/// Bytes that the library allocates, all zero: no product takes longer for its numbers, but denormals would.
dnnl::memory zeroed(const dnnl::memory::desc& layout, const dnnl::engine& engine)
{
    dnnl::memory memory(layout, engine);
    if (layout.get_size() > 0) std::memset(memory.get_data_handle(), 0, layout.get_size());
    return memory;
}

using Memories = std::unordered_map<int, dnnl::memory>;

double onceMs(const dnnl::primitive& primitive, dnnl::stream& stream, const Memories& memories)
{
    const auto begin = std::chrono::steady_clock::now();
    primitive.execute(stream, memories);
    stream.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double bestMs(const dnnl::primitive& primitive, const dnnl::engine& engine, const Memories& memories)
{
    dnnl::stream stream(engine);
    return bestTime([&] { return onceMs(primitive, stream, memories); });
}

} // namespace

double measureMs(const Recipe& recipe, const dnnl::engine& engine)
{
    try {
        Memories memories;
        for (const Argument& argument : recipe.arguments)
            memories.emplace(argument.id, zeroed(argument.layout, engine));
        for (const Derived& derived : recipe.derived)
            memories.emplace(derived.id, zeroed(derived.layout, engine));
        memories.emplace(DNNL_ARG_SCRATCHPAD, zeroed(recipe.scratchpad, engine));
        return bestMs(recipe.build(), engine, memories);
    } catch (const std::exception&) {
        return -1;
    }
}

double measureReorderMs(const dnnl::memory::desc& from, const dnnl::memory::desc& to, const dnnl::engine& engine)
{
    try {
        const dnnl::memory source = zeroed(from, engine);
        const dnnl::memory target = zeroed(to, engine);
        return bestMs(dnnl::reorder(source, target), engine, {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}});
    } catch (const std::exception&) {
        return -1;
    }
}

} // namespace plimsoll::kernels::onednn
