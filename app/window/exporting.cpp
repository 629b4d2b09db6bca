#include "app/window/exporting.h"

#include "core/report/report_json.h"

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

} // namespace

QString reportFilters()
{
    return QObject::tr("JSON, plimsoll.report/1 (*.json)");
}

Status exportReport(const Report& report, const QString& file)
{
    return save(file, writeReportJson(report));
}

Status exportPicture(QWidget& widget, const QString& file)
{
    const QPixmap picture = widget.grab();
    if (!picture.save(file, "PNG")) return cannotWrite(file, QObject::tr("the folder is not there or not writable"));
    return {};
}

} // namespace plimsoll::app
