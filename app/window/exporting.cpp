#include "app/window/exporting.h"

#include "app/models/window_text.h"
#include "app/views/canvas.h"
#include "core/base/output_file.h"
#include "core/base/outputs.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QSvgGenerator>

namespace plimsoll::app {
namespace {

Status save(const QString& file, std::string_view content, const FilesRead& read)
{
    PLIMSOLL_TRY(checkOutputs({{"The export", file.toStdString()}}, read));
    return writeFile(file.toStdString(), content);
}

struct Format
{
    const char* ending;
    const char* title;
    std::string (*write)(const Report&);
};

constexpr Format Formats[] = {
    {"html", QT_TRANSLATE_NOOP("plimsoll", "HTML, one file"), writeHtml},
    {"json", QT_TRANSLATE_NOOP("plimsoll", "JSON, plimsoll.report/1"), writeReportJson},
    {"md", QT_TRANSLATE_NOOP("plimsoll", "Markdown"), writeMarkdown},
    {"csv", QT_TRANSLATE_NOOP("plimsoll", "CSV of all values"), writeCsv},
    {"svg", QT_TRANSLATE_NOOP("plimsoll", "SVG of the plan"), writeSvg},
    {"dot", QT_TRANSLATE_NOOP("plimsoll", "DOT of the graph"), writeGraphDot},
};

} // namespace

QString reportFilters()
{
    QStringList filters;
    for (const Format& format : Formats)
        filters << QStringLiteral("%1 (*.%2)").arg(translated(format.title), QString::fromLatin1(format.ending));
    return filters.join(QStringLiteral(";;"));
}

Status exportReport(const Report& report, const QString& file, const FilesRead& read)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    QStringList endings;
    for (const Format& format : Formats) {
        if (ending == QLatin1String(format.ending)) return save(file, format.write(report), read);
        endings << QLatin1String(format.ending);
    }
    return Error {ErrorCode::BadInput,
                  say("export.no-format", endings.join(QStringLiteral(", ")).toStdString()),
                  {},
                  file.toStdString()};
}

Status exportPicture(QWidget& widget, const QString& file, const FilesRead& read)
{
    QBuffer target;
    target.open(QIODevice::WriteOnly);
    const QString ending = QFileInfo(file).suffix().toLower();
    auto* canvas = qobject_cast<Canvas*>(&widget);
    if (canvas && ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&target);
        generator.setSize(canvas->size());
        generator.setViewBox(canvas->rect());
        generator.setTitle(canvas->accessibleName());
        QPainter painter(&generator);
        canvas->paint(painter, canvas->rect(), canvas->looks());
    } else if (canvas && ending == QLatin1String("pdf")) { // one page as large as the canvas
        constexpr int DotsPerInch = 96;
        QPdfWriter writer(&target);
        writer.setResolution(DotsPerInch);
        writer.setPageSize(
            QPageSize(QSizeF(canvas->size()) * 72.0 / DotsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins({});
        QPainter painter(&writer);
        canvas->paint(painter, canvas->rect(), canvas->looks());
    } else if (!widget.grab().save(&target, "PNG")) {
        return Error {ErrorCode::BadInput, say("export.too-large"), {}, file.toStdString()};
    }
    const QByteArray& bytes = target.data();
    return save(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())}, read);
}

} // namespace plimsoll::app
