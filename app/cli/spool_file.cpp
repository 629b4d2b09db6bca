#include "app/cli/spool_file.h"

#include <cstdlib>

#include <unistd.h>

namespace plimsoll::cli {

SpoolFile::~SpoolFile()
{
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove(m_path, ignored);
}

Status SpoolFile::open()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "plimsoll-XXXXXX").string();
    const int made = error ? -1 : mkstemp(name.data());
    if (made < 0) return Error {ErrorCode::Unsupported, "No temporary file can be made.", name, {}};
    close(made);
    m_path = name;
    return {};
}

} // namespace plimsoll::cli
