#include "app/models/table_model.h"
#include "app/models/window_text.h"
#include "app/views/canvas.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A graph in which everything has a name of \p letters.
QByteArray graphOfLongNames(int letters)
{
    const QByteArray name(letters, 'm');
    return R"({"schema": "plimsoll.graph/1", "name": "g)" + name +
           R"(", "inputs": [{"name": "x", "dtype": "float32", "shape": [64]}],
           "nodes": [{"name": "n)" +
           name + R"(", "op": "Relu", "inputs": ["x"], "outputs": ["v)" + name + R"("]}, {"name": "enc/)" + name +
           R"(/c", "op": "Tanh", "inputs": ["v)" + name + R"("], "outputs": ["y"]}], "outputs": ["y"]})";
}

/// The longest text that any label or button of the window shows.
qsizetype longestShown(const QWidget& window)
{
    qsizetype most = 0;
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible()) most = std::max(most, label->text().size());
    for (const QAction* action : window.findChildren<QAction*>())
        most = std::max(most, action->text().size());
    return most;
}

} // namespace

/// What a window is handed: text in whatever coat, names of any length.
class WindowHandedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void droppedTextMaySayItsLetters_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QByteArray>("bytes");
        const QString graph = QStringLiteral(R"({"schema": "plimsoll.graph/1", "name": "größe",
            "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
            "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})");
        QTest::newRow("utf-8") << "text/plain;charset=utf-8" << graph.toUtf8();
        QTest::newRow("quoted") << "text/plain; charset=\"UTF-8\"" << graph.toUtf8();
        QTest::newRow("latin-1") << "text/plain;charset=iso-8859-1" << graph.toLatin1();
        QTest::newRow("as Qt says it") << "text/plain" << graph.toUtf8();
    }
    void droppedTextMaySayItsLetters()
    {
        QFETCH(QString, format);
        QFETCH(QByteArray, bytes);
        test::OpenWindow app;
        app.window.show();
        QMimeData mime;
        mime.setData(format, bytes);
        QDragEnterEvent enter(QPoint(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QCoreApplication::sendEvent(&app.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&app.window, &drop);
        QVERIFY(app.ready());
        QCOMPARE(QString::fromStdString(app.bench.session.report()->program.graph->name), QStringLiteral("größe"));
    }

    /// Labels are cut before anything measures them.
    void namesOfAnyLengthAreShownAtOnce()
    {
        constexpr int Letters = 100'000;
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("long.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(graphOfLongNames(Letters));
        file.close();
        test::OpenWindow app;
        app.bench.costs.setEnabled(false);
        app.window.resize(1366, 768);
        app.window.show();
        QElapsedTimer clock;
        clock.start();
        app.window.open(file.fileName());
        QVERIFY(app.ready());
        for (const char* view : {"live", "graph", "nodes", "values", "storages"}) {
            app.window.showView(QLatin1String(view));
            QCoreApplication::processEvents();
        }
        app.bench.selection.pick(Focus::on(ValueId(std::size_t {1})));
        app.window.grab();
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY2(longestShown(app.window) < 3 * LabelLetters, qPrintable(QString::number(longestShown(app.window))));
        QVERIFY(app.window.windowTitle().size() < LabelLetters);
        app.window.actions().at("edit.copy-facts")->trigger(); // the whole leaves by copying
        QVERIFY(app.window.panes().inspector->asText().size() > Letters);
        const QAbstractItemModel& rows = app.window.panes().tables.value(QStringLiteral("values"))->model();
        for (int row = 0; row < rows.rowCount(); ++row)
            QVERIFY(rows.index(row, 0).data().toString().size() <= LabelLetters + 1);
    }

    void aLabelKeepsBothEndsOfAWord()
    {
        const QString word = QStringLiteral("begin") + QString(1000, u'm') + QStringLiteral("end");
        const QString label = labelText(QStringLiteral("of ") + word + QStringLiteral(" and\n") + word, 20);
        QCOMPARE(label, QStringLiteral("of beginmmmmm…mmmmmmmend and\nbeginmmmmm…mmmmmmmend"));
        QCOMPARE(labelText(QString(), 20), QString());
        QCOMPARE(labelText(QString(20, u'x'), 20), QString(20, u'x'));
    }

    void recentFilesHaveShortEntries()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QString(120, u'r') + QStringLiteral("&x.json"));
        QVERIFY(QFile::copy(test::exampleFile(QStringLiteral("two-outputs.json")), name));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
        const Settings settings(true);
        Workbench bench {Engine()};
        MainWindow window(bench, settings);
        bench.session.setAsksForOffers(false);
        window.open(name);
        QTRY_VERIFY(bench.session.report());
        const auto actions = window.findChildren<QAction*>();
        const auto entry = std::ranges::find_if(actions, [&](const QAction* each) { return each->data() == name; });
        QVERIFY(entry != actions.end());
        QVERIFY((*entry)->text().size() < 70);
        QVERIFY((*entry)->text().endsWith(QStringLiteral("&&x.json")));
    }
};

QTEST_MAIN(WindowHandedTest)
#include "tst_window_handed.moc"
