#include "core/facts/tables.h"
#include "core/facts/tables/row_query.h"

/// The language in which rows of tables are picked.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static_cast<void>(readRowFilter(text, nodesTable()));
    static_cast<void>(readRowFilter(text, valuesTable()));
    return 0;
}
