#pragma once

#include "app/models/table_model.h"
#include "core/facts/tables.h"

namespace plimsoll::test {

/// The place of a column, by its title.
inline int columnOf(const FactTable& table, std::string_view title)
{
    return static_cast<int>(table.column(title));
}

} // namespace plimsoll::test
