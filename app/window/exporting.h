#pragma once

#include "core/base/result.h"
#include "core/report/report.h"

#include <QString>

class QWidget;

namespace plimsoll::app {

/// The file dialog's filters for what can be opened.
[[nodiscard]] QString graphFilters();

/// The file dialog's filters for a report.
[[nodiscard]] QString reportFilters();

/// Writes a report in the format that the file's ending names.
[[nodiscard]] Status exportReport(const Report& report, const QString& file);

/// The widget as it looks: a canvas as SVG or PDF where the file ends so, all else as PNG.
[[nodiscard]] Status exportPicture(QWidget& widget, const QString& file);

} // namespace plimsoll::app
