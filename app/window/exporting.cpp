#include "app/window/exporting.h"

#include "app/models/inspector_model.h"
#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "app/session/engine.h"
#include "app/views/canvas.h"
#include "app/views/clip.h"
#include "core/base/output_file.h"
#include "core/base/outputs.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QSvgGenerator>
#include <QtMath>

#include <algorithm>

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

std::string writePlan(const Report& report)
{
    return planJsonText(planOf(report));
}

constexpr Format Formats[] = {
    {"html", QT_TRANSLATE_NOOP("QObject", "HTML, one file"), writeHtml},
    {"plan.json", QT_TRANSLATE_NOOP("QObject", "JSON of the plan, plimsoll.plan/1"), writePlan},
    {"json", QT_TRANSLATE_NOOP("QObject", "JSON, plimsoll.report/1"), writeReportJson},
    {"md", QT_TRANSLATE_NOOP("QObject", "Markdown"), writeMarkdown},
    {"buffers.csv", QT_TRANSLATE_NOOP("QObject", "CSV of buffers, for MiniMalloc and pack"), writeBuffersCsv},
    {"csv", QT_TRANSLATE_NOOP("QObject", "CSV of all values"), writeCsv},
    {"svg", QT_TRANSLATE_NOOP("QObject", "SVG of the plan"), writeSvg},
    {"dot", QT_TRANSLATE_NOOP("QObject", "DOT of the graph"), writeGraphDot},
};

Error noFormat(const QString& file, const char* endings)
{
    return {ErrorCode::BadInput, say("export.no-format", endings), {}, file.toStdString()};
}

/// What QPainter can address in an image, and 1 GiB of it.
constexpr int LongestSide = 32767;
constexpr std::int64_t MostPixels = std::int64_t(1) << 28;

/// What is drawn of a canvas, and how.
struct Picture
{
    Canvas& canvas;
    PicturePart part;
    Style style;

    Picture(Canvas& of, PicturePart much, Theme theme)
        : canvas(of), part(much), style(makeStyle(theme, of.looks().font))
    {
    }

    [[nodiscard]] QSize size() const
    {
        if (part == PicturePart::Seen) return canvas.size();
        const QSizeF whole = canvas.wholeSize();
        return {qCeil(whole.width()), qCeil(whole.height())};
    }

    void paint(QPainter& painter) const
    {
        const QRectF area(QPointF(), size());
        if (part == PicturePart::Whole)
            canvas.paintWhole(painter, area, style);
        else
            canvas.paint(painter, area, style);
    }
};

QByteArray svgOf(const Picture& picture)
{
    QByteArray bytes;
    QBuffer target(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&target);
    generator.setSize(picture.size());
    generator.setViewBox(QRect(QPoint(), picture.size()));
    generator.setTitle(picture.canvas.accessibleName());
    QPainter painter(&generator);
    picture.paint(painter);
    painter.end();
    return withClips(bytes);
}

/// One page as large as the picture; smaller than life where the picture is larger than a page may be.
void writePdf(const Picture& picture, QIODevice& target)
{
    constexpr int DotsPerInch = 96;
    constexpr double LongestPage = 14400; // points, of PDF 1.4
    const QSizeF points = QSizeF(picture.size()) * 72.0 / DotsPerInch;
    const double scale = std::min(1.0, LongestPage / std::max(points.width(), points.height()));
    QPdfWriter writer(&target);
    writer.setResolution(DotsPerInch);
    writer.setPageSize(QPageSize(points * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.scale(scale, scale);
    picture.paint(painter);
}

} // namespace

QString pictureFilters()
{
    return QObject::tr("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)");
}

QString reportFilters()
{
    QStringList filters;
    for (const Format& format : Formats)
        filters << QStringLiteral("%1 (*.%2)").arg(QObject::tr(format.title), QString::fromLatin1(format.ending));
    return filters.join(QStringLiteral(";;"));
}

Status exportReport(const Report& report, const QString& file, const FilesRead& read)
{
    const QString name = QFileInfo(file).fileName().toLower();
    QStringList endings;
    for (const Format& format : Formats) {
        if (name.endsWith(u'.' + QLatin1String(format.ending))) return save(file, format.write(report), read);
        endings << QLatin1String(format.ending);
    }
    return noFormat(file, qPrintable(endings.join(QStringLiteral(", "))));
}

Status exportPicture(Canvas& canvas, const QString& file, const FilesRead& read, PicturePart part, Theme theme)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    QByteArray bytes;
    QBuffer target(&bytes);
    target.open(QIODevice::WriteOnly);
    if (ending == QLatin1String("svg")) {
        bytes = svgOf({canvas, part, theme});
    } else if (ending == QLatin1String("pdf")) {
        writePdf({canvas, part, theme}, target);
    } else if (ending == QLatin1String("png")) {
        PLIMSOLL_ASSIGN(image, pictureOf(canvas, part, theme));
        image.save(&target, "PNG");
    } else {
        return noFormat(file, "png, svg, pdf");
    }
    return save(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())}, read);
}

Result<QImage> pictureOf(Canvas& canvas, PicturePart part, Theme theme)
{
    const Picture picture(canvas, part, theme);
    const QSize pixels = (QSizeF(picture.size()) * canvas.devicePixelRatioF()).toSize();
    const std::int64_t all = std::int64_t(pixels.width()) * pixels.height();
    if (std::max(pixels.width(), pixels.height()) > LongestSide || all > MostPixels)
        return Error {ErrorCode::BadInput,
                      say("export.too-many-pixels", std::int64_t(pixels.width()), std::int64_t(pixels.height()),
                          std::int64_t(LongestSide), MostPixels),
                      {},
                      {}};
    QImage image(pixels, QImage::Format_RGB32);
    image.setDevicePixelRatio(canvas.devicePixelRatioF());
    QPainter painter(&image);
    picture.paint(painter);
    return image;
}

Status exportWindow(QWidget& window, const QString& file, const FilesRead& read)
{
    QByteArray bytes;
    QBuffer target(&bytes);
    target.open(QIODevice::WriteOnly);
    if (!window.grab().save(&target, "PNG"))
        return Error {ErrorCode::BadInput, say("export.too-large"), {}, file.toStdString()};
    return save(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())}, read);
}

QString tableFilters()
{
    return QObject::tr("CSV (*.csv);;Markdown (*.md);;JSON (*.json)");
}

void copyText(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

Rows rowsOf(const TableModel& table)
{
    const auto nothing = [] { return std::string(); };
    if (!table.openTable()) return {nothing, nothing, nothing};
    return {[&table] { return writeCsv(table.table(), *table.openTable(), table.order()); },
            [&table] { return writeMarkdown(table.table(), *table.openTable(), table.order(), windowWords); },
            [&table] { return writeJson(table.table(), *table.openTable(), table.order()); }};
}

Rows rowsOf(const InspectorFacts& facts)
{
    return {[&facts] { return writeCsv(facts.sections); },
            [&facts] {
                return writeMarkdown((facts.kind + u' ' + facts.title).toStdString(), facts.sections, windowWords);
            },
            [&facts] { return writeJson(facts.sections); }};
}

Status exportRows(const Rows& rows, const QString& file, const FilesRead& read)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == QLatin1String("csv")) return save(file, rows.csv(), read);
    if (ending == QLatin1String("md")) return save(file, rows.markdown(), read);
    if (ending == QLatin1String("json")) return save(file, rows.json(), read);
    return noFormat(file, "csv, md, json");
}

} // namespace plimsoll::app
