#include "core/base/outputs.h"

#include "core/base/file_place.h"
#include "core/base/temporary_file.h"

#include <algorithm>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

namespace plimsoll {

namespace fs = std::filesystem;

namespace {

/// Which file a name means, whatever else it is called.
struct FileIdentity
{
    dev_t device = 0;
    ino_t number = 0;
    mode_t mode = 0;
    dev_t kind = 0; ///< Of a device.
    fs::path place; ///< Of a file that does not exist yet.

    [[nodiscard]] bool exists() const { return mode != 0; }
};

bool isStandardOutput(const Output& output)
{
    return output.path == "-" || descriptorOf(output.path) == STDOUT_FILENO;
}

FileIdentity identityOf(const fs::path& path, bool standardOutput = false)
{
    struct ::stat info = {};
    if ((standardOutput ? ::fstat(STDOUT_FILENO, &info) : ::stat(path.c_str(), &info)) == 0)
        return {info.st_dev, info.st_ino, info.st_mode, info.st_rdev, {}};
    std::error_code none;
    return {.place = fs::weakly_canonical(fs::absolute(targetOf(path), none), none)};
}

bool same(const FileIdentity& a, const FileIdentity& b)
{
    if (a.exists() != b.exists()) return false;
    return a.exists() ? a.device == b.device && a.number == b.number : a.place == b.place;
}

Error usage(Message message)
{
    return {ErrorCode::BadUsage, std::move(message), {}, {}};
}

Status checkPair(const Output& a, const Output& b)
{
    if (isStandardOutput(a) && isStandardOutput(b)) return usage(say("file.both-printed", a.option, b.option));
    const FileIdentity first = identityOf(a.path, isStandardOutput(a));
    const bool isSink = S_ISCHR(first.mode) && first.kind == identityOf("/dev/null").kind;
    if (isSink || !same(first, identityOf(b.path, isStandardOutput(b)))) return {};
    const fs::path& path = isStandardOutput(b) ? a.path : b.path;
    return usage(say("file.same", a.option, b.option, word::Name {path.string()}));
}

} // namespace

Status checkOutputs(const std::vector<Output>& outputs, const std::vector<fs::path>& inputs)
{
    std::vector<Output> all;
    std::ranges::copy_if(outputs, std::back_inserter(all), [](const Output& output) { return !output.path.empty(); });
    // What is printed goes somewhere, too, and may have been sent to a file.
    const bool named = std::ranges::any_of(all, isStandardOutput);
    if (!named && S_ISREG(identityOf({}, true).mode)) all.push_back({"Standard output", "-"});
    for (auto a = all.begin(); a != all.end(); ++a) {
        const FileIdentity output = identityOf(a->path, isStandardOutput(*a));
        for (const fs::path& input : inputs) {
            if (S_ISREG(output.mode) && same(identityOf(input), output))
                return usage(say("file.written-over", a->option, word::Name {input.string()}));
        }
        for (auto b = std::next(a); b != all.end(); ++b)
            PLIMSOLL_TRY(checkPair(*a, *b));
    }
    for (const Output& output : all) {
        if (!isStandardOutput(output) && !descriptorOf(output.path))
            removeAbandonedFiles(folderOf(targetOf(output.path)));
    }
    return {};
}

} // namespace plimsoll
