#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "core/record/run_record.h"

#include <cstdlib>
#include <span>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace plimsoll;

/// A chain with a loop: corpus/fuzz_run_record/loop.jsonl is the record of its run.
constexpr std::string_view Looped = R"({"schema": "plimsoll.graph/1", "name": "g",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [8]}],
  "constants": [{"name": "n", "dtype": "int64", "shape": [], "data": [2]},
                {"name": "go", "dtype": "bool", "shape": [], "data": [true]}],
  "nodes": [{"name": "a", "op": "Neg", "inputs": ["x"], "outputs": ["p"]},
            {"name": "l", "op": "Loop", "inputs": ["n", "go", "p"], "outputs": ["y"], "subgraphs": {"body": {
               "inputs": [{"name": "i", "dtype": "int64", "shape": []}, {"name": "on", "dtype": "bool", "shape": []},
                          {"name": "s", "dtype": "float32", "shape": [8]}],
               "nodes": [{"name": "k", "op": "Identity", "inputs": ["on"], "outputs": ["more"]},
                         {"name": "e", "op": "Exp", "inputs": ["s"], "outputs": ["t"]}],
               "outputs": ["more", "t"]}}}],
  "outputs": ["y"]})";

const PlannedProgram& program()
{
    static const Report report = [] {
        PlanRequest request;
        request.policies.backend = BackendPolicy::Reference;
        return analyse(readGraph(std::as_bytes(std::span(Looped)), {}).value(), request, {}).value();
    }();
    return report.program;
}

} // namespace

/// The record of a run is written by a process that may be taken over, and kept in sessions that come from elsewhere.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const int memory = memfd_create("record", 0);
    if (memory < 0 || ftruncate(memory, 0) != 0) std::abort();
    if (pwrite(memory, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    const auto record = readRunRecord("/proc/self/fd/" + std::to_string(memory), program());
    if (!record.ok()) return record.error().message.empty() ? std::abort(), 1 : 0;
    const RunRecord& read = record.value();
    const auto contents = std::ssize(read.contents);
    for (const Moment& moment : read.moments) {
        const bool inside = moment.contents.begin >= 0 && moment.contents.end <= contents;
        if (!inside || moment.contents.length() < 0) std::abort();
        if (moment.step < 0 || moment.step >= program().schedule.length()) std::abort();
    }
    for (const RecordedContent& content : read.contents)
        if (!read.bytesOf(content).empty()) std::abort(); // there is no file of bytes
    for (std::int64_t step = -1; step <= program().schedule.length(); ++step) {
        const auto latest = read.latestAt(step);
        if (latest && *latest >= read.moments.size()) std::abort();
        if (const auto beside = read.stepBeside(step, 1); beside && *beside >= program().schedule.length())
            std::abort();
        if (const auto beside = read.stepBeside(step, -1); beside && *beside < 0) std::abort();
    }
    return 0;
}
