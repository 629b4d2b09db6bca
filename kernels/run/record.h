#pragma once

#include "core/plan/program.h"
#include "kernels/run/executor.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace plimsoll::kernels {

/// Writes down a run while it happens, one JSON object a line, each flushed before the kernel it announces starts, so
/// that whatever kills the process, the last line says where it was:
///
///     {"schema":"plimsoll.record/1","graph":"seed","nodes":3,"steps":3,"arenas":[{"bytes":4096,"space":"cpu"}]}
///     {"begin":0,"kind":"node","node":"n0","op":"Relu","iteration":[],"addresses":[{"value":"y","arena":0,"offset":0,"bytes":64}]}
///     {"given":"x","dtype":"float32","shape":[4,4],"bytes":64,"at":0}
///     {"wrote":"y","dtype":"float32","shape":[4,4],"bytes":64,"at":64}
///     {"end":0,"ms":0.012,"digest":"0123456789abcdef"}
///     {"mismatch":"y","node":"n1","step":1,"note":"…"}
///     {"summary":"done","mode":"numeric","mismatches":0,"measuredPeakBytes":64}
///
/// {"order":"stream 0 first"} begins anew: what stands before is of an order in which nothing is wrong, what follows of
/// one in which something is. "given" is what the step read and no step has written. "at" is a position in the file
/// RECORD.bytes beside it, which is written before the line is; a line without it is of bytes that were not kept. A
/// record without a summary is that of a run that did not end.
class Record : public RunObserver
{
public:
    /// Which bytes are kept beside the digests.
    struct Keep
    {
        std::int64_t mostBytes = 0; ///< Of one order.
        std::int64_t fromStep = 0;  ///< Of earlier steps what still matters there.
    };
    /// Empties the file, and the one with the bytes, and writes the header; what is said later, it writes in \p words.
    /// Without \p keep there are no lines of contents. BadInput where a file cannot be written.
    [[nodiscard]] static Result<std::unique_ptr<Record>> create(const std::filesystem::path& path,
                                                                const PlannedProgram& program, Wording words,
                                                                std::optional<Keep> keep = {});

    void begin(const StepEvent& event) override;
    void end(const StepEvent& event, double ms, const std::string& digest) override;
    void mismatch(const RunResult::Mismatch& mismatch) override;
    void content(ValueId value, bool given, const TensorView& elements) override;
    void order(const std::string& name) override;
    [[nodiscard]] bool wantsContents() const override { return m_keep.has_value(); }
    [[nodiscard]] bool wantsDigests() const override { return true; }
    void finish(const Result<RunOutcome>& outcome);

    /// Empties the record of an earlier run, so that what is in it belongs to the run that begins. Anything else at
    /// \p path is left alone until create(): only when the graph is read it is known that it is not one of its files.
    [[nodiscard]] static Status clear(const std::filesystem::path& path);

    /// BadInput when a line could not be written.
    [[nodiscard]] Status health() const;

private:
    struct Closer
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, Closer>;
    Record(File file, const std::filesystem::path& path, const PlannedProgram& program, Wording words)
        : m_file(std::move(file)), m_path(path), m_program(program), m_words(words)
    {
    }
    void writeLine(const std::string& line);
    void noteFault(int code);
    /// Where the bytes begin in their file; nothing where they are not kept.
    [[nodiscard]] std::optional<std::int64_t> keepBytes(ValueId value, bool given, const TensorView& elements);

    File m_file;
    File m_bytes; ///< Null where none are kept.
    std::filesystem::path m_path;
    const PlannedProgram& m_program;
    Wording m_words;
    std::optional<Keep> m_keep {};
    std::int64_t m_kept = 0;      ///< Bytes so far.
    std::int64_t m_step = 0;      ///< That is under way.
    std::set<ValueId> m_given {}; ///< Those that were told.
    int m_fault = 0;              ///< The first errno of what could not be written.
};

/// "reads 'q' at [0, 64) of cuda:0, writes 'r' at [64, 128) of cuda:0": what lies in an arena.
[[nodiscard]] std::string placesText(const PlannedProgram& program, const Node& node);

} // namespace plimsoll::kernels
