// Runs networks three ways and prints what their kernels took:
//     build/bench/bench_layouts [--runs N] [--no-reference] [MODEL.onnx…]
// blocked + planned: what Plimsoll does; plain + unplanned: the same library node by node with row-major tensors, each
// in bytes of its own; reference: plain loops. Best of the runs, and so is the library's own clock. Without models:
// those of ../shared/corpora/onnx that are images, and a network of the size of ResNet-50.

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/graph/graph_builder.h"
#include "core/ops/reorder_node.h"
#include "core/pipeline/pipeline.h"
#include "kernels/run/catalogue.h"
#include "kernels/run/executor.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <unistd.h>

using namespace plimsoll;

namespace {

struct Options
{
    int runs = 5;
    bool reference = true;
    std::vector<std::filesystem::path> models;
};

/// Bottlenecks as in ResNet-50: 3, 4, 6 and 3 of them, at 224 x 224.
class Residual
{
public:
    Graph make()
    {
        ValueId x = m_builder.addInput("x", TensorType::dense(DType::Float32, {1, 3, 224, 224}));
        x = relu(conv(x, 3, 64, 7, 2));
        x = node("MaxPool", {x},
                 {{"kernel_shape", Shape {3, 3}}, {"strides", Shape {2, 2}}, {"pads", Shape {1, 1, 1, 1}}});
        std::int64_t channels = 64;
        std::int64_t width = 64;
        for (const int blocks : {3, 4, 6, 3}) {
            for (int i = 0; i < blocks; ++i) {
                x = bottleneck(x, channels, width, i == 0 && width > 64 ? 2 : 1);
                channels = 4 * width;
            }
            width *= 2;
        }
        x = node("GlobalAveragePool", {x}, {});
        x = node("Flatten", {x}, {});
        x = node("Gemm", {x, weight({1000, 2048})}, {{"transB", std::int64_t {1}}});
        m_builder.addOutput(x);
        m_builder.graph().opsets[""] = 17;
        return std::move(m_builder).build().value();
    }

private:
    ValueId bottleneck(ValueId x, std::int64_t channels, std::int64_t width, std::int64_t stride)
    {
        ValueId side = x;
        if (channels != 4 * width || stride != 1) side = conv(x, channels, 4 * width, 1, stride);
        ValueId y = relu(conv(x, channels, width, 1, 1));
        y = relu(conv(y, width, width, 3, stride));
        y = conv(y, width, 4 * width, 1, 1);
        return relu(node("Add", {y, side}, {}));
    }

    ValueId conv(ValueId x, std::int64_t from, std::int64_t to, std::int64_t kernel, std::int64_t stride)
    {
        const std::int64_t pad = kernel / 2;
        return node("Conv", {x, weight({to, from, kernel, kernel}), weight({to})},
                    {{"strides", Shape {stride, stride}}, {"pads", Shape {pad, pad, pad, pad}}});
    }

    ValueId relu(ValueId x) { return node("Relu", {x}, {}); }

    ValueId weight(const Shape& shape)
    {
        return m_builder.addParameter("w" + std::to_string(++m_weights), TensorType::dense(DType::Float32, shape));
    }

    ValueId node(const char* op, ValueIds inputs, Attributes attributes)
    {
        Node made;
        made.op = op;
        made.attributes = std::move(attributes);
        const NodeId id = m_builder.addNode(std::move(made), std::move(inputs), {"v" + std::to_string(++m_values)});
        return m_builder.output(id, 0);
    }

    GraphBuilder m_builder {"ResNet-50-sized"};
    int m_weights = 0;
    int m_values = 0;
};

/// What is left of a catalogue when nobody may leave row-major tensors.
Catalogue plainOnly(Catalogue catalogue)
{
    for (auto& [node, offers] : catalogue.offers) {
        std::erase_if(offers, [](const Implementation& offer) {
            return !offer.inputLayouts.empty() || !offer.outputLayouts.empty() || !offer.prepared.empty();
        });
    }
    return catalogue;
}

struct Timing
{
    double ms = -1;        ///< Of all steps of the planned run, the best of the runs.
    double primitives = 0; ///< The same by the library's clock: the rest is the executor's, or the reference's.
    std::int64_t peak = 0;
    std::int64_t measured = 0;
    std::size_t reorders = 0;
    std::string error;
};

/// What oneDNN says of its primitives between two points. Every step is executed by the oracle first and then under the
/// plan; weights are prepared once, before all steps.
class LibraryClock
{
public:
    LibraryClock()
    {
        std::fflush(stdout);
        m_stdout = dup(STDOUT_FILENO);
        m_file = std::tmpfile();
        dup2(fileno(m_file), STDOUT_FILENO);
        dnnl_set_verbose(1);
    }
    LibraryClock(const LibraryClock&) = delete;
    LibraryClock& operator=(const LibraryClock&) = delete;
    ~LibraryClock()
    {
        if (m_file) (void)plannedMs(0);
    }

    /// Of the planned half, \p prepared executions left out.
    double plannedMs(std::size_t prepared)
    {
        dnnl_set_verbose(0);
        std::fflush(stdout);
        dup2(m_stdout, STDOUT_FILENO);
        close(m_stdout);
        std::rewind(m_file);
        double ms = 0;
        std::size_t executed = 0;
        char line[4096];
        while (std::fgets(line, sizeof line, m_file)) {
            const char* comma = std::strrchr(line, ',');
            if (!std::strstr(line, "verbose,exec") || !comma) continue;
            const bool planned = executed >= prepared && (executed - prepared) % 2 == 1;
            if (planned) ms += std::atof(comma + 1);
            ++executed;
        }
        std::fclose(m_file);
        m_file = nullptr;
        return ms;
    }

private:
    int m_stdout = -1;
    std::FILE* m_file = nullptr;
};

Timing measure(const Graph& graph, PlanRequest request, int runs)
{
    Timing timing;
    const auto report = analyse(graph, request, {});
    if (!report.ok()) return {.error = describe(report.error())};
    const Report& planned = report.value();
    timing.peak = planned.memory.peakBytes;
    std::size_t prepared = 0;
    const Graph& lowered = *planned.program.graph;
    for (std::size_t i = 0; i < lowered.nodes.size(); ++i)
        if (isReorder(lowered.nodes[i])) ++(lowered.decided[NodeId(i)].ahead ? prepared : timing.reorders);
    for (int i = 0; i < runs; ++i) {
        kernels::RunObserver silent;
        const auto outcome = kernels::execute(planned.program, {}, silent, {});
        if (!outcome.ok()) return {.error = describe(outcome.error())};
        const RunResult& run = outcome.value().result;
        const double ms = std::accumulate(run.stepMs.begin(), run.stepMs.end(), 0.0);
        timing.measured = run.measuredPeakBytes;
        if (!run.mismatches.empty()) timing.error = "wrong values";
        LibraryClock clock; // in a run of its own: to tell the times takes time
        (void)kernels::execute(planned.program, {}, silent, {});
        const double primitives = clock.plannedMs(prepared);
        timing.ms = timing.ms < 0 ? ms : std::min(timing.ms, ms);
        timing.primitives = timing.primitives == 0 ? primitives : std::min(timing.primitives, primitives);
    }
    return timing;
}

void print(const char* way, const Timing& timing, double against)
{
    if (!timing.error.empty()) {
        std::printf("    %-20s %s\n", way, timing.error.substr(0, 90).c_str());
        return;
    }
    std::printf("    %-20s %9.2f ms %7.2fx   library %9.2f ms   peak %10s   touched %10s   reorders %zu\n", way,
                timing.ms, timing.ms > 0 ? against / timing.ms : 0.0, timing.primitives,
                formatBytes(timing.peak).c_str(), formatBytes(timing.measured).c_str(), timing.reorders);
}

void bench(const std::string& name, const Graph& graph, const InferenceRequest& shapes, const Options& options)
{
    std::printf("%s, %zu nodes\n", name.c_str(), graph.nodes.size());
    PlanRequest blocked;
    blocked.shapes = shapes;
    blocked.policies.fold = FoldPolicy::All; // some files compute their weights: ahead of the run, in all three ways
    const auto begin = std::chrono::steady_clock::now();
    auto catalogue = kernels::describeBackends(graph, shapes, {});
    const double asked = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!catalogue.ok()) {
        std::printf("    %s\n", describe(catalogue.error()).c_str());
        return;
    }
    PlanRequest plain = blocked;
    PlanRequest loops = blocked;
    blocked.catalogue = std::make_shared<const Catalogue>(catalogue.value());
    plain.catalogue = std::make_shared<const Catalogue>(plainOnly(catalogue.value()));
    plain.policies.inplace = InplacePolicy::Off;
    plain.policies.placement = "no-reuse";
    plain.policies.fusion = FusionPolicy::Off;
    loops.policies.backend = BackendPolicy::Reference;
    std::printf("    the library was asked in %.0f ms\n", asked);
    const Timing slow = measure(graph, plain, options.runs);
    print("blocked, planned", measure(graph, blocked, options.runs), slow.ms);
    print("plain, unplanned", slow, slow.ms);
    if (options.reference) print("reference", measure(graph, loops, 1), slow.ms);
    std::fflush(stdout);
}

void benchModel(const std::filesystem::path& path, const Options& options)
{
    const auto graph = readGraph(path, {});
    if (!graph.ok()) {
        std::printf("%s: %s\n", path.filename().c_str(), describe(graph.error()).substr(0, 100).c_str());
        return;
    }
    bench(path.filename().string(), graph.value(), {}, options);
}

Options parse(int count, char** arguments)
{
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--no-reference")
            options.reference = false;
        else if (argument == "--runs" && i + 1 < count)
            options.runs = std::max(1, std::atoi(arguments[++i]));
        else
            options.models.emplace_back(argument);
    }
    return options;
}

} // namespace

int main(int count, char** arguments)
{
    const Options options = parse(count, arguments);
    for (const auto& model : options.models)
        benchModel(model, options);
    if (!options.models.empty()) return 0;
    const std::filesystem::path corpus = PLIMSOLL_SHARED_DIR "/corpora/onnx";
    for (const char* name :
         {"light_squeezenet.onnx", "light_densenet121.onnx", "super_resolution.onnx", "mnist-8.onnx"}) {
        if (std::filesystem::exists(corpus / name)) benchModel(corpus / name, options);
    }
    bench("ResNet-50-sized", Residual().make(), {}, options);
    return 0;
}
