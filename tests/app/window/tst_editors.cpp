#include "app/window/commands/editors.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll::app;

namespace {

/// A program that writes the words it is called with beside itself.
QString fakeEditor(const QDir& folder, const QString& name)
{
    QFile program(folder.filePath(name));
    if (!program.open(QIODevice::WriteOnly)) qFatal("cannot write the editor");
    program.write("#!/bin/sh\nprintf '%s|' \"$@\" > \"$0.called\"\n");
    program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return program.fileName();
}

} // namespace

class EditorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fileAndLineStandWhereTheCommandHasThem()
    {
        QCOMPARE(editorCommand(QStringLiteral("edit --at %l \"%f\""), QStringLiteral("/a b/m%l.py"), 21),
                 QStringList({QStringLiteral("edit"), QStringLiteral("--at"), QStringLiteral("21"),
                              QStringLiteral("/a b/m%l.py")}));
    }

    void aKnownEditorIsFound()
    {
        const QTemporaryDir folder;
        fakeEditor(QDir(folder.path()), QStringLiteral("kate"));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toLocal8Bit());
        const QStringList command = editorCommand({}, QStringLiteral("/m.py"), 3);
        qputenv("PATH", path);
        QCOMPARE(command.join(u' '), QStringLiteral("kate --line 3 /m.py"));
    }

    void theNamedEditorIsCalled()
    {
        const QTemporaryDir folder;
        const QString editor = fakeEditor(QDir(folder.path()), QStringLiteral("mine"));
        qputenv("PLIMSOLL_EDITOR", editor.toLocal8Bit() + " %f:%l");
        openInEditor(QStringLiteral("/m.py"), 21);
        qunsetenv("PLIMSOLL_EDITOR");
        QFile called(editor + QStringLiteral(".called"));
        QTRY_VERIFY(called.size() > 0);
        QVERIFY(called.open(QIODevice::ReadOnly));
        QCOMPARE(called.readAll(), QByteArray("/m.py:21|"));
    }
};

QTEST_GUILESS_MAIN(EditorsTest)
#include "tst_editors.moc"
