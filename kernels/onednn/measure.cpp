#include "kernels/onednn/measure.h"

#include "core/base/stopwatch.h"
#include "kernels/typical_time.h"

#include <cstring>
#include <unordered_map>
#include <vector>

namespace plimsoll::kernels::onednn {
namespace {

/// Bytes that the library allocates, all zero: no product takes longer for its numbers, but denormals would.
dnnl::memory zeroed(const dnnl::memory::desc& layout, const dnnl::engine& engine)
{
    dnnl::memory memory(layout, engine);
    if (layout.get_size() > 0) std::memset(memory.get_data_handle(), 0, layout.get_size());
    return memory;
}

struct Execution
{
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> memories;
};

Execution reordering(const dnnl::memory::desc& from, const dnnl::memory::desc& to, const dnnl::engine& engine)
{
    const dnnl::memory source = zeroed(from, engine);
    const dnnl::memory target = zeroed(to, engine);
    return {dnnl::reorder(source, target), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}}};
}

/// What one call of the node executes, one behind the other.
std::vector<Execution> executionsOf(const Recipe& recipe, const dnnl::engine& engine)
{
    std::unordered_map<int, dnnl::memory> memories;
    for (const Argument& argument : recipe.arguments)
        memories.emplace(argument.id, zeroed(argument.layout, engine));
    for (const Derived& derived : recipe.derived)
        memories.emplace(derived.id, zeroed(derived.layout, engine));
    memories.emplace(DNNL_ARG_SCRATCHPAD, zeroed(recipe.scratchpad, engine));
    std::vector<Execution> executions = {{recipe.build(), std::move(memories)}};
    if (recipe.permuted) executions.push_back(reordering(recipe.permuted->from, recipe.permuted->to, engine));
    return executions;
}

double onceMs(const std::vector<Execution>& executions, dnnl::stream& stream)
{
    const Stopwatch watch;
    for (const Execution& execution : executions)
        execution.primitive.execute(stream, execution.memories);
    stream.wait();
    return watch.ms();
}

double typicalMs(const std::vector<Execution>& executions, const dnnl::engine& engine)
{
    dnnl::stream stream(engine);
    return typicalTime([&] { return onceMs(executions, stream); });
}

} // namespace

double measureMs(const Recipe& recipe, const dnnl::engine& engine)
{
    try {
        return typicalMs(executionsOf(recipe, engine), engine);
    } catch (const std::exception&) {
        return -1;
    }
}

double measureReorderMs(const dnnl::memory::desc& from, const dnnl::memory::desc& to, const dnnl::engine& engine)
{
    try {
        return typicalMs({reordering(from, to, engine)}, engine);
    } catch (const std::exception&) {
        return -1;
    }
}

} // namespace plimsoll::kernels::onednn
