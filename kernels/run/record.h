#pragma once

#include "core/plan/program.h"
#include "kernels/run/executor.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace plimsoll::kernels {

/// Writes down a run while it happens, one JSON object a line, each flushed before the kernel it announces starts, so
/// that whatever kills the process, the last line says where it was:
///
///     {"schema":"plimsoll.record/1","graph":"seed","nodes":3,"steps":3,"arenas":[{"bytes":4096,"space":"cpu"}]}
///     {"begin":0,"kind":"node","node":"n0","op":"Relu","iteration":[],"addresses":[{"value":"y","arena":0,"offset":0,"bytes":64}]}
///     {"end":0,"ms":0.012,"digest":"0123456789abcdef"}
///     {"mismatch":"y","node":"n1","step":1,"note":"…"}
///     {"summary":"done","mode":"numeric","mismatches":0,"measuredPeakBytes":64}
///
/// A record without a summary is that of a run that did not end.
class Record : public RunObserver
{
public:
    /// Empties the file and writes the header; what is said later, it writes in \p words. BadInput where that cannot be
    /// done.
    [[nodiscard]] static Result<std::unique_ptr<Record>> create(const std::filesystem::path& path,
                                                                const PlannedProgram& program, Wording words);

    void begin(const StepEvent& event) override;
    void end(const StepEvent& event, double ms, const std::string& digest) override;
    void mismatch(const RunResult::Mismatch& mismatch) override;
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
    Record(std::FILE* file, const std::filesystem::path& path, const PlannedProgram& program, Wording words)
        : m_file(file), m_path(path), m_program(program), m_words(words)
    {
    }
    void writeLine(const std::string& line);

    std::unique_ptr<std::FILE, Closer> m_file;
    std::filesystem::path m_path;
    const PlannedProgram& m_program;
    Wording m_words;
    int m_fault = 0; ///< The first errno of a line that could not be written.
};

/// "reads 'q' at [0, 64) of cuda:0, writes 'r' at [64, 128) of cuda:0": what lies in an arena.
[[nodiscard]] std::string placesText(const PlannedProgram& program, const Node& node);

} // namespace plimsoll::kernels
