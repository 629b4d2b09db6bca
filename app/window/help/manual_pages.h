#pragma once

#include <QList>
#include <QString>

#include <span>

namespace plimsoll::app {

struct ManualPage
{
    const char* file;  ///< Of resources/manual.
    const char* title; ///< A word of ours.
};
[[nodiscard]] std::span<const ManualPage> manualPages();

/// A page as it shows, in which the rows of formats, policies and bugs are filled in.
[[nodiscard]] QString manualHtml(const QString& file);

/// A paragraph, heading or cell of a page.
struct ManualHit
{
    QString file;
    QString heading; ///< The one above it.
    QString text;
    int block = 0; ///< Of the page's document.
};
/// Those in which every word occurs, headings first.
[[nodiscard]] QList<ManualHit> searchManual(const QString& words);

} // namespace plimsoll::app
