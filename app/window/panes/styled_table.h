#pragma once

#include "app/views/swatches.h"

#include <memory>

class QTableView;
class QWidget;

namespace plimsoll::app {

/// A table as all tables of the window look: rows are picked, severities (SeverityRole) stand in their colour beside
/// the word, storages (StorageRole) with theirs. \p sentences: rows are as high as their sentences need.
[[nodiscard]] QTableView* makeStyledTable(bool sentences, std::shared_ptr<const Swatches> swatches, QWidget* parent);

} // namespace plimsoll::app
