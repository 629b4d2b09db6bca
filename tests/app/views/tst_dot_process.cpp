#include "app/views/graph/dot_process.h"

#include "core/sandbox/sandbox.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

/// Which Graphviz is asked, and what it may do.
class tst_DotProcess : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!QFile::exists(m_installed)) QSKIP("Graphviz is not installed");
        QVERIFY(m_folder.isValid());
    }

    void itIsTheSystemsWhateverPathSays()
    {
        const QByteArray before = qgetenv("PATH");
        written(QStringLiteral("#!/bin/sh\nexit 1\n"));
        qputenv("PATH", QFile::encodeName(m_folder.path()));
        DotProcess dot;
        qputenv("PATH", before);
        QSignalSpy finished(&dot, &DotProcess::finished);

        dot.start(chain());

        QVERIFY(finished.wait(20'000));
        QCOMPARE(finished[0][0].value<GraphLayout>().centres.size(), std::size_t(2));
    }

    void nothingElsewhereIsExecuted()
    {
        if (!sandboxGaps().empty()) QSKIP("there is no sandbox here");
        QFile::remove(copy());
        QVERIFY(QFile::copy(m_installed, copy()));
        DotProcess dot;
        dot.setProgram(copy());
        QSignalSpy failed(&dot, &DotProcess::failed);

        dot.start(chain());

        QVERIFY(!failed.isEmpty() || failed.wait(20'000));
    }

private:
    [[nodiscard]] static LayoutProblem chain()
    {
        LayoutProblem problem;
        problem.boxes.resize(2, {80, 30});
        problem.edges = {{0, 1}};
        return problem;
    }
    [[nodiscard]] QString copy() const { return m_folder.filePath(QStringLiteral("dot")); }
    void written(const QString& text) const
    {
        QFile file(copy());
        if (file.open(QIODevice::WriteOnly)) file.write(text.toUtf8());
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
    }

    QString m_installed = QStringLiteral("/usr/bin/dot");
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_DotProcess)
#include "tst_dot_process.moc"
