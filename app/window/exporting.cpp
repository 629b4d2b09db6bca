#include "app/window/exporting.h"

#include "core/report/report_json.h"
#include "core/report/writers.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QObject>
#include <QPixmap>
#include <QSaveFile>
#include <QWidget>

namespace plimsoll::app {
namespace {

Error cannotWrite(const QString& file, const QString& why)
{
    return Error {
        ErrorCode::BadInput, QObject::tr("cannot be written: %1").arg(why).toStdString(), {}, file.toStdString()};
}

Status save(const QString& file, const std::string& text)
{
    QSaveFile target(file);
    if (!target.open(QIODevice::WriteOnly)) return cannotWrite(file, target.errorString());
    target.write(text.data(), static_cast<qint64>(text.size()));
    if (!target.commit()) return cannotWrite(file, target.errorString());
    return {};
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

QString graphFilters()
{
    return QObject::tr("Graphs and tables of buffers (*.onnx *.ort *.json *.pb *.plimsoll *.csv *.log *.txt *.pt2);;"
                       "All files (*)");
}

QString reportFilters()
{
    QStringList filters;
    for (const Format& format : Formats)
        filters << QStringLiteral("%1 (*.%2)")
                       .arg(QCoreApplication::translate("plimsoll", format.title), QString::fromLatin1(format.ending));
    return filters.join(QStringLiteral(";;"));
}

Status exportReport(const Report& report, const QString& file)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    QStringList endings;
    for (const Format& format : Formats) {
        if (ending == QLatin1String(format.ending)) return save(file, format.write(report));
        endings << QLatin1String(format.ending);
    }
    return cannotWrite(file,
                       QObject::tr("the ending says the format; there are %1").arg(endings.join(QStringLiteral(", "))));
}

Status exportPicture(QWidget& widget, const QString& file)
{
    const QPixmap picture = widget.grab();
    if (!picture.save(file, "PNG")) return cannotWrite(file, QObject::tr("the folder is not there or not writable"));
    return {};
}

} // namespace plimsoll::app
