#pragma once

#include "core/graph/tensor_type.h"
#include "core/plan/finding.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

/// One of the things that the caller holds after a run: a position in the graph's outputs or inputs.
struct HandleName
{
    bool output = true;
    std::size_t index = 0;
    std::string value;
};

/// What became of one write through a handle. Writes are not undone: each begins with what the last one has left.
struct ProbeWrite
{
    enum class Outcome : std::uint8_t {
        Written,
        Refused,  ///< By the policy; nothing was written.
        Detached, ///< Written, after it was moved to bytes of its own.
        Skipped,  ///< Nothing that could be written: a sequence, an absent optional.
    };
    struct Change
    {
        HandleName handle;
        std::int64_t bytes = 0; ///< Of all elements that changed.
        bool predicted = true;  ///< PlannedProgram::handles says so.
    };
    struct Content
    {
        HandleName handle;
        DType dtype = DType::Unknown;
        std::vector<std::string> elements; ///< As text that round-trips; empty for more than 64.
        std::string digest;                ///< Of all bytes, hexadecimal.
    };
    HandleName handle;
    Outcome outcome = Outcome::Written;
    Message reason;                    ///< Why it was refused or skipped: the end of a sentence.
    std::optional<HandleName> partner; ///< On whose account it was refused.
    std::int64_t detachedBytes = 0;
    std::int64_t liveBytes = 0;        ///< After the write, as in WriteProbe.
    std::vector<Change> changed;       ///< Other handles that show something else now.
    std::vector<HandleName> unchanged; ///< Those that should by the plan, and do not.
    std::vector<Content> after;        ///< Of all handles; of more than 64 those that were written or changed.
};

/// A write through every output and every input that the caller can look at, one after the other, into the bytes that
/// the run has left.
struct WriteProbe
{
    struct Stale
    {
        HandleName handle;
        Message note; ///< "4 of 4 elements differ, …"
    };
    std::int64_t liveBytes = 0; ///< Planned bytes that outputs hold, in the accounting of peakBytes, before the writes.
    std::vector<ProbeWrite> writes;
    std::int64_t refreshedOutputs = 0; ///< Made anew by a second run over what the writes left.
    std::vector<Stale> stale;          ///< Those that it did not make as the first.

    /// A run of its own, in which the caller writes through the outputs before the backward graph begins.
    struct Between
    {
        std::vector<ProbeWrite> writes; ///< One for each output that is there by then.
        std::vector<Stale> changed;     ///< Gradients that became others.
        bool expected = false;          ///< The policy lets a write through an output reach what the gradients read.
    };
    std::optional<Between> between; ///< Nothing where there is no backward graph.

    [[nodiscard]] std::int64_t detachedBytes() const
    {
        std::int64_t bytes = 0;
        for (const ProbeWrite& write : writes)
            bytes += write.detachedBytes;
        return bytes;
    }
};

/// What came out of executing a plan; the "run" part of a report. Values and nodes by name, since it may come from
/// another process.
struct RunResult
{
    struct Output
    {
        std::string name;
        DType dtype = DType::Unknown;
        Shape shape;
        std::vector<std::string> elements; ///< As text that round-trips, at most 1,024.
        std::string digest;                ///< Of all bytes, hexadecimal.
        StorageType storage =
            StorageType::Dense; ///< How it is kept; elements and digest are those of the dense tensor.
        std::int64_t kept = -1; ///< Elements or rows, of what is sparse.
    };
    struct Mismatch
    {
        std::string value;
        std::string node; ///< The node that reads or produces the spoiled bytes.
        std::int64_t step = 0;
        double maxAbsDiff = 0;             ///< NaN where the type has no difference.
        Message note;                      ///< "guard zone after the arena was written", …
        Rule rule = Rule::WrongValue;      ///< Or what else the run has shown to be broken.
        std::string overwrittenBy {};      ///< The value that was written over its bytes last; empty: none is known…
        std::int64_t overwrittenStep = -1; ///< …and when.
        bool follows = false;              ///< Computed from what was spoiled before: no fault of its own.
    };
    /// Nodes that bring bytes from one memory to another, all that go the same way.
    struct Copies
    {
        std::string from; ///< "cpu"
        std::string to;   ///< "cuda:0"
        std::int64_t count = 0;
        std::int64_t bytes = 0;
        double ms = 0;
    };
    /// The plan once more, as devices run it: every node is handed to its stream, and nothing waits within a stretch.
    struct Launched
    {
        std::int64_t stretches = 0; ///< Between them the host computes, or one device waits for another.
        std::int64_t times = 0;
        double eagerMs = 0; ///< From the first node to the end of the last one, the least of those times.
        std::int64_t replays = 0;
        double captureMs = 0; ///< Noting all nodes and making a graph of them, once.
        double replayMs = 0;  ///< As eagerMs, of the graph.
        Message why;          ///< Why it was not run so, not captured, or what was run step by step: a whole sentence.
    };
    /// What a device gave to the run, in the pieces in which it gives memory.
    struct Held
    {
        std::string space;             ///< "cuda:0"
        std::int64_t plannedBytes = 0; ///< Of its arenas, as the plan has them.
        std::int64_t arenaBytes = 0;   ///< For its arenas: with guard zones, and rounded up.
        std::int64_t ownBytes = 0;     ///< Before the run: what it keeps for itself.
        std::int64_t oracleBytes = 0;  ///< The most that the oracle beside the run held.
        /// By how much less the driver had to give at most than before the arenas: for all of this, and for what
        /// libraries took by themselves (and other programs meanwhile). Empty where there is no driver.
        std::optional<std::int64_t> driverBytes {};
        /// By step: all that was held but the oracle's; of several trips the most, 0 where a step was not run.
        std::vector<std::int64_t> steps {};

        [[nodiscard]] std::int64_t peakBytes() const
        {
            return steps.empty() ? arenaBytes + ownBytes : *std::ranges::max_element(steps);
        }
        /// At the peak, beside its arenas and what it keeps for itself: what was copied there ahead of the run, and
        /// what is not planned.
        [[nodiscard]] std::int64_t otherBytes() const { return peakBytes() - arenaBytes - ownBytes; }
    };
    /// Loops that were ended because all loops together had executed as many nodes as a run may.
    struct Cut
    {
        struct Loop
        {
            std::string node;
            std::int64_t iterations = 0; ///< Made before; of several times the latest.
        };
        std::int64_t limit = 0; ///< Node executions inside loops.
        std::vector<Loop> loops {};
    };
    /// Further runs, in which branches and loops go the ways that the inputs did not lead to.
    struct Forced
    {
        std::int64_t runs = 0;
        std::int64_t nodes = 0; ///< Executions, of all of them.
        std::int64_t open = 0;  ///< Ways that none of them took.
        Message why;            ///< Why there are no more: a whole sentence; empty where no way is open.
    };
    /// Where judge and run do not say the same.
    struct Witness
    {
        bool judgeIsBlind = false;          ///< Values differ, and no rule is broken.
        std::vector<Message> runIsBlind {}; ///< Of each broken rule, where no value differs: why it does not show.
    };
    /// What was done so that late reads and writes beside show.
    struct Watched
    {
        std::int64_t poisonedBytes = 0; ///< Every time that they were filled.
        std::int64_t zones = 0;         ///< Around arenas, and what is reserved inside of them.
        std::int64_t touchedZones = 0;  ///< Every time that one was found written.
    };
    Message promise;     ///< What the run is to show, set by what asked for it: a whole sentence.
    std::string mode;    ///< "numeric", "fingerprint"
    std::string backend; ///< "reference", "onednn+reference"
    std::int64_t fingerprintedNodes = 0;
    std::int64_t nodes = 0;             ///< To be executed: all but those that are computed ahead of the run.
    std::int64_t ranNodes = 0;          ///< Of these, executed at least once.
    std::vector<std::string> notRun {}; ///< The others.
    Witness witness {};
    Cut cut {};
    std::optional<Forced> forced {}; ///< Nothing where no way was open, or none was to be forced.
    std::int64_t measuredPeakBytes =
        0; ///< High-water mark of arena bytes really touched, in the accounting of peakBytes.
    std::map<std::string, std::int64_t> measuredBySpace; ///< The same by memory space.
    std::optional<Watched> watched {};                   ///< Nothing of a run that poisons nothing.
    std::int64_t unplannedPeakBytes = 0;                 ///< High-water mark of the fallback allocator.
    std::vector<double> stepMs;                          ///< By step of the schedule; loops add up.
    std::int64_t comparedValues = 0;                     ///< Against the oracle, after the step that wrote them.
    std::int64_t comparedBytes = 0;
    std::int64_t referenceValues = 0; ///< With --reference: values compared within their operator's bound.
    std::vector<Mismatch> mismatches;
    std::vector<Output> outputs; ///< Gradients aside.
    std::vector<Output> gradients;
    std::optional<WriteProbe> probe; ///< With --write-probe; what contradicts the plan is among the mismatches.
    std::vector<Message> notes {};   ///< What was assumed: fingerprinted nodes, drawn inputs.
    /// Of a plan of several streams: in which orders it was run. "captured", "stream 1 first", "'b' before 'a'"
    std::vector<std::string> orders {};
    /// Under replay=graph: outputs of the first run that the second one, with other inputs, has changed.
    std::optional<std::vector<WriteProbe::Stale>> replayed {};
    /// By memory space and step: bytes of the arenas that held something, temporary ones too; of several trips the
    /// most.
    std::map<std::string, std::vector<std::int64_t>> bytesInUse {};
    std::vector<Held> held {}; ///< Of each device that the plan computes on.
    std::vector<Copies> copies {};
    std::optional<Launched> launched {}; ///< Of a plan that computes on a device.
};

} // namespace plimsoll
