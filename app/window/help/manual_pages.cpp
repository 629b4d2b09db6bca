#include "app/window/help/manual_pages.h"

#include "app/window/help/format_texts.h"

#include <QFile>
#include <QTextBlock>
#include <QTextDocument>
#include <QtGlobal>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr ManualPage Pages[] = {{"index.html", "Overview"}, {"views.html", "Views"},     {"policies.html", "Policies"},
                                {"rules.html", "Rules"},    {"devices.html", "Devices"}, {"cli.html", "Command line"},
                                {"graphs.html", "Graphs"},  {"formats.html", "Formats"}, {"gallery.html", "Real bugs"}};

bool hasAll(const QString& text, const QStringList& words)
{
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

std::span<const ManualPage> manualPages()
{
    return Pages;
}

QString manualHtml(const QString& file)
{
    QFile page(QStringLiteral(":/manual/") + file);
    if (!page.open(QIODevice::ReadOnly)) return {};
    QString html = QString::fromUtf8(page.readAll());
    html.replace(QStringLiteral("<!-- formats -->"), formatRows());
    html.replace(QStringLiteral("<!-- gallery -->"), bugSections());
    html.replace(QStringLiteral("<!-- policies -->"), policySections(html));
    return html.replace(QStringLiteral("<!-- law -->"), lawRows());
}

QList<ManualHit> searchManual(const QString& words)
{
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    QList<ManualHit> hits;
    if (wanted.isEmpty()) return hits;
    qsizetype headings = 0;
    for (const ManualPage& page : Pages) {
        QTextDocument document;
        document.setHtml(manualHtml(QString::fromLatin1(page.file)));
        QString heading;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            const bool isHeading = block.blockFormat().headingLevel() > 0;
            if (isHeading) heading = block.text();
            if (!hasAll(block.text(), wanted)) continue;
            hits.insert(isHeading ? headings++ : hits.size(),
                        {QString::fromLatin1(page.file), heading, block.text(), block.blockNumber()});
        }
    }
    return hits;
}

} // namespace plimsoll::app
