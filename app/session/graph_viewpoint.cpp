#include "app/session/graph_viewpoint.h"

#include "core/formats/read_graph.h"

#include <QFileInfo>

namespace plimsoll::app {

QString fileOnDisk(const QString& opened)
{
    const QString file = QString::fromStdString(fileOfGraph(opened.toStdString()).string());
    return QFileInfo(file).isFile() ? file : QString();
}

} // namespace plimsoll::app
