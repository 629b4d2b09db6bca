#pragma once

#include "app/session/document/owned_path.h"
#include "core/base/result.h"

#include <functional>
#include <future>
#include <string>
#include <string_view>

namespace plimsoll::app {

class JobRunner;

/// What one window has open, kept in a file of its own that outlives a kill.
class SafeCopy
{
public:
    SafeCopy();
    ~SafeCopy();

    /// From now on files lie in that folder; before, nothing is kept.
    void keepIn(const QString& folder) { m_folder = folder; }
    [[nodiscard]] const QString& folder() const { return m_folder; }

    /// Whole or not at all, also where the program is killed meanwhile.
    [[nodiscard]] Status write(std::string_view text);
    /// The same on a thread of its own; of several the newest counts. \p text is called there.
    void writeLater(std::function<std::string()> text, std::function<void(const Error&)> failed);
    /// The run that the text goes with, in a file beside the copy: written once, on a thread of its own.
    void writeRun(std::function<std::string()> text);
    /// Name of that file; empty where there is none.
    [[nodiscard]] std::string runFile() const;
    void dropRun();
    void remove();
    void leave(); ///< It stays, with what was last to be written, and is offered at the next start.
    /// Goes on with a copy that was left. False where another window has it.
    [[nodiscard]] bool takeOver(const QString& file);

private:
    [[nodiscard]] std::string file();

    QString m_folder;
    OwnedPath m_at;                       ///< No path: none yet.
    std::function<std::string()> m_later; ///< What is to be written, until it is.
    std::future<Status> m_run;            ///< That was written last; invalid: none.
    std::unique_ptr<JobRunner> m_writer;  ///< None while nothing was to be written later.
};

/// Removes one of those, with its run.
void removeCopy(const QString& file);

/// Copies that windows left which live no more, newest first. What else those left is removed.
[[nodiscard]] QStringList copiesLeft(const QString& folder);

} // namespace plimsoll::app
