#include "app/window/help/diagnostics.h"
#include "app/window/help/log.h"
#include "app/window/main_window.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QPlainTextEdit>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

QStringList textsOf(const Log& log)
{
    QStringList texts;
    for (const LogLine& line : log.lines())
        texts << line.text;
    return texts;
}

QByteArray contentOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// What a window has done, its last lines.
class LogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void filesPlansAndErrorsAreInIt()
    {
        test::OpenWindow app;
        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        const QString all = textsOf(app.window.log()).join(u'\n');
        QVERIFY2(
            all.contains(QRegularExpression(QStringLiteral("Opening a file\nRead: .* nodes, .* values\n(.*\n)*Plan: "
                                                           "\\d+ ms, peak \\d+ B, "))),
            qPrintable(all));
        app.window.open(QStringLiteral("/nowhere/secret.json"));
        QTRY_VERIFY_WITH_TIMEOUT(textsOf(app.window.log()).back().startsWith(QStringLiteral("Error: ")), 20000);
        QVERIFY(!textsOf(app.window.log()).join(u'\n').contains(QStringLiteral("secret")));
        QVERIFY(diagnosticsText(app.bench, app.window.log(), true).contains(QStringLiteral("secret")));
        QVERIFY(!diagnosticsText(app.bench, app.window.log(), false).contains(QStringLiteral("secret")));
    }

    void theOldestLinesGo()
    {
        Log log;
        for (int i = 0; i < 500; ++i)
            log.add(QString::number(i));
        QCOMPARE(log.lines().size(), Log::MostLines);
        QCOMPARE(log.lines().front().text, QStringLiteral("100"));
        QCOMPARE(log.lines().back().text, QStringLiteral("499"));
    }

    void aFileOfItIsBoundedAndForTheUserAlone()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("state/plimsoll.log"));
        Log log;
        log.add(QStringLiteral("before"));
        log.keepIn(file);
        log.add(QStringLiteral("text"), QStringLiteral("named"));
        QVERIFY2(contentOf(file).endsWith(" named\n"), contentOf(file).constData());
        QVERIFY(!contentOf(file).contains("before"));
        QCOMPARE(QFile(file).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        log.add(QString(Log::MostBytes, u'x'));
        log.add(QStringLiteral("anew"));
        QVERIFY(contentOf(file).size() < 100);
        QVERIFY(contentOf(file + QStringLiteral(".old")).contains("named"));
        log.keepIn({});
        log.add(QStringLiteral("after"));
        QVERIFY(!contentOf(file).contains("after"));
    }

    void noFileIsKeptUnlessTheUserWantsIt()
    {
        const QTemporaryDir folder;
        qputenv("XDG_STATE_HOME", folder.path().toUtf8());
        test::OpenWindow app;
        app.window.actions().at("help.log")->trigger();
        auto* dialog = app.child<QDialog>("log");
        QVERIFY(dialog && dialog->isVisible());
        app.window.log().add(QStringLiteral("first"));
        QVERIFY(dialog->findChild<QPlainTextEdit*>()->toPlainText().endsWith(QStringLiteral("first")));
        QVERIFY(!QFile::exists(logFile()));
        auto* keep = dialog->findChild<QCheckBox*>();
        QVERIFY(!keep->isChecked());
        keep->click();
        app.window.log().add(QStringLiteral("second"));
        QVERIFY(contentOf(logFile()).endsWith("second\n"));
        qunsetenv("XDG_STATE_HOME");
    }
};

QTEST_MAIN(LogTest)
#include "tst_log.moc"
