#pragma once

#include "app/views/style.h"
#include "core/base/result.h"
#include "core/facts/report.h"

#include <QImage>
#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

class QWidget;

namespace plimsoll::app {

class Canvas;
class TableModel;
struct InspectorFacts;

/// The file dialog's filters for a report.
[[nodiscard]] QString reportFilters();

/// What is shown was read from these files: none of them is written over.
using FilesRead = std::vector<std::filesystem::path>;

/// Writes a report in the format that the file's ending names.
[[nodiscard]] Status exportReport(const Report& report, const QString& file, const FilesRead& read);

enum class PicturePart {
    Seen,
    Whole, ///< All there is, as large as its words need.
};

/// The file dialog's filters for a picture, and for a table.
[[nodiscard]] QString pictureFilters();
[[nodiscard]] QString tableFilters();

/// As PNG, SVG or PDF, as the file ends; light, for pages are white, whatever the theme of the window. A part that no
/// image can hold is an error for PNG.
[[nodiscard]] Status exportPicture(Canvas& canvas, const QString& file, const FilesRead& read,
                                   PicturePart part = PicturePart::Seen, Theme theme = Theme::Light);
[[nodiscard]] Result<QImage> pictureOf(Canvas& canvas, PicturePart part, Theme theme = Theme::Light);
/// As it looks, as PNG.
[[nodiscard]] Status exportWindow(QWidget& window, const QString& file, const FilesRead& read);

void copyText(const QString& text); ///< To the clipboard.

/// What a pane shows in rows, made when it is asked for.
struct Rows
{
    std::function<std::string()> csv;
    std::function<std::string()> markdown;
    std::function<std::string()> json;
};
/// As they are shown, with all columns. What they are of must outlive them.
[[nodiscard]] Rows rowsOf(const TableModel& table);
[[nodiscard]] Rows rowsOf(const InspectorFacts& facts);
/// CSV, Markdown or JSON, as the file ends.
[[nodiscard]] Status exportRows(const Rows& rows, const QString& file, const FilesRead& read);

} // namespace plimsoll::app
