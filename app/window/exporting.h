#pragma once

#include "core/base/result.h"
#include "core/facts/report.h"

#include <QString>

#include <filesystem>
#include <vector>

class QWidget;

namespace plimsoll::app {

/// The file dialog's filters for a report.
[[nodiscard]] QString reportFilters();

/// What is shown was read from these files: none of them is written over.
using FilesRead = std::vector<std::filesystem::path>;

/// Writes a report in the format that the file's ending names.
[[nodiscard]] Status exportReport(const Report& report, const QString& file, const FilesRead& read);

/// The widget as it looks: a canvas as SVG or PDF where the file ends so, all else as PNG.
[[nodiscard]] Status exportPicture(QWidget& widget, const QString& file, const FilesRead& read);

} // namespace plimsoll::app
