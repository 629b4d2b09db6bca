#pragma once

#include "app/session/job_runner.h"
#include "app/session/session.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace plimsoll::test {

/// A pane alone with a session that reads a graph.
template <typename Pane>
struct PaneSession
{
    QTemporaryDir folder;
    app::JobRunner jobs;
    app::Session session {app::Engine(), jobs};
    Pane pane {session};

    [[nodiscard]] bool open(const QByteArray& text)
    {
        QFile file(folder.filePath(QStringLiteral("g.json")));
        if (!file.open(QIODevice::WriteOnly)) return false;
        file.write(text);
        file.close();
        session.open(file.fileName());
        return settled();
    }
    [[nodiscard]] bool settled()
    {
        return QTest::qWaitFor([this] { return session.report() && !session.busy(); }, 20000);
    }
};

} // namespace plimsoll::test
