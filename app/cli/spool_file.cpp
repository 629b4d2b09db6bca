#include "app/cli/spool_file.h"

#include <cstdlib>

#include <unistd.h>

namespace plimsoll::cli {

SpoolFile::~SpoolFile()
{
    if (m_descriptor >= 0) close(m_descriptor);
}

Status SpoolFile::open()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "plimsoll-XXXXXX").string();
    m_descriptor = error ? -1 : mkstemp(name.data());
    if (m_descriptor < 0) return Error {ErrorCode::Unsupported, say("cli.no-temporary-file"), name, {}};
    unlink(name.c_str());
    return {};
}

std::filesystem::path SpoolFile::path() const
{
    return "/proc/self/fd/" + std::to_string(m_descriptor);
}

} // namespace plimsoll::cli
