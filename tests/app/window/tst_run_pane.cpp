#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "app/window/panes/run_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/support/catalogue_text.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// The window on the example of two outputs in one storage, with a real plimsoll-cli behind it.
struct Opened : test::OpenWindow
{
    explicit Opened(const char* example = "two-outputs.json")
    {
        bench.run.setProgram(QStringLiteral(PLIMSOLL_CLI));
        window.resize(1500, 1000);
        window.show();
        window.open(test::exampleFile(QString::fromLatin1(example)));
    }
    /// "output 0, a: written, 1 changed: writing …": the rows beneath a heading.
    QStringList rows(const QString& heading) const
    {
        QStringList found;
        const auto* tree = child<QTreeWidget>("runDetails");
        for (int top = 0; top < tree->topLevelItemCount(); ++top) {
            const QTreeWidgetItem* item = tree->topLevelItem(top);
            if (item->text(0) != heading) continue;
            for (int row = 0; row < item->childCount(); ++row) {
                QStringList cells;
                for (int column = 0; column < 3; ++column)
                    if (const QString cell = item->child(row)->text(column); !cell.isEmpty()) cells << cell;
                found << cells.join(QStringLiteral(": "));
            }
        }
        return found;
    }
    void follow(const QString& heading, int row) const
    {
        auto* tree = child<QTreeWidget>("runDetails");
        const auto tops = tree->findItems(heading, Qt::MatchExactly);
        Q_EMIT tree->itemActivated(tops.first()->child(row), 0);
    }
};

/// Of float32, as numpy writes it.
QByteArray npy(const std::vector<int>& shape, const std::vector<float>& values)
{
    QByteArray dims;
    for (const int size : shape)
        dims += QByteArray::number(size) + ',';
    QByteArray head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
    head = head.leftJustified(117) + '\n'; // with the ten bytes in front a multiple of 64
    return QByteArray("\x93NUMPY\x01\x00", 8) + char(head.size()) + '\0' + head +
           QByteArray(reinterpret_cast<const char*>(values.data()), qsizetype(values.size() * sizeof(float)));
}

void drop(QWidget* onto, const QString& path)
{
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enters({3, 3}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(onto, &enters);
    QVERIFY(enters.isAccepted());
    QDropEvent drops({3, 3}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(onto, &drops);
}

QString copied()
{
    return QGuiApplication::clipboard()->text();
}

} // namespace

class RunPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    /// In a small window what the run showed needs the height.
    void controlsStandInOneLineWhereThereIsRoom()
    {
        test::OpenWindow app;
        app.window.resize(1366, 768);
        app.window.show();
        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        app.window.showView(QStringLiteral("run"));
        const auto* start = app.child<QPushButton>("runStart");
        const auto* probe = app.child<QCheckBox>("runProbe");
        const auto onOneLine = [&] {
            const QWidget* pane = app.window.panes().run;
            const QPoint middle = probe->mapTo(pane, probe->rect().center());
            return std::abs(middle.y() - start->mapTo(pane, start->rect().center()).y()) < 4;
        };
        QTRY_VERIFY(onOneLine());
        QVERIFY(
            app.window.panes().run->rect().contains(probe->mapTo(app.window.panes().run, probe->rect().bottomRight())));
        app.window.resize(1000, 768);
        app.window.actions().at("layout.reset")->trigger();
        app.window.showView(QStringLiteral("run"));
        app.window.resize(700, 768);
        QTRY_VERIFY(!onOneLine());
    }

    /// A folder is dropped on the field; then the values of its file are what the run computes with.
    void inputsAreGivenByAFolder()
    {
        Opened app;
        QVERIFY(app.ready());
        app.window.showView(QStringLiteral("run"));
        auto* field = app.child<QLineEdit>("runInputs");
        auto* facts = app.child<QLabel>("runFacts");
        const auto fails = [&](const QString& folder) {
            field->setText(folder);
            app.child<QPushButton>("runStart")->click();
            return facts->text();
        };
        const QTemporaryDir folder;
        const QString test = folder.filePath(QStringLiteral("test_data_set_0"));
        QVERIFY2(fails(test).endsWith(QStringLiteral("There is no such folder of inputs.")), qPrintable(facts->text()));
        QVERIFY(QDir().mkpath(test));
        QVERIFY2(fails(test).endsWith(QStringLiteral("such as input_0.pb, input_0.npy or 'x.npy'.")),
                 qPrintable(facts->text()));
        QVERIFY(!app.bench.run.running());

        QFile file(test + QStringLiteral("/x.npy"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(npy({4}, {7, 8, 9, 10}));
        file.close();
        drop(field->parentWidget(), folder.path());
        QCOMPARE(field->text(), test);
        QVERIFY(field->isVisible());
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(app.bench.session.run(), qPrintable(facts->text()), 20000);
        const QStringList outputs = app.rows(QStringLiteral("Outputs"));
        QVERIFY2(outputs.join(u' ').contains(QStringLiteral("7  8  9  10")), qPrintable(outputs.join(u'\n')));

        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QTRY_COMPARE(field->text(), QString());
    }

    /// Off the window's thread; a plan that changes meanwhile is not run with it.
    void anImageIsConvertedByTheWorker()
    {
        const QTemporaryDir folder;
        QFile graph(folder.filePath(QStringLiteral("image.json")));
        QVERIFY(graph.open(QIODevice::WriteOnly));
        graph.write(R"({"schema": "plimsoll.graph/1", "name": "image",
            "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 1, 2, 2]}],
            "nodes": [{"name": "n", "op": "Neg", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})");
        graph.close();
        QImage white(2, 2, QImage::Format_RGB32);
        white.fill(Qt::white);
        const QString image = folder.filePath(QStringLiteral("white.png"));
        QVERIFY(white.save(image));
        Opened app;
        app.window.open(graph.fileName());
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("run")));
        app.child<QLineEdit>("runInputs")->setText(image);
        app.child<QPushButton>("runStart")->click();
        QVERIFY(app.bench.jobs.busy(JobTag::Inputs) && !app.bench.runs());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QVERIFY(QTest::qWaitFor([&] { return app.window.settled() && !app.bench.jobs.busy(JobTag::Inputs); }, 20000));
        app.bench.stopRuns(); // of an image that was there before the plan
        QVERIFY(!app.bench.session.run());
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
        const QString outputs = app.rows(QStringLiteral("Outputs")).join(u' ');
        QVERIFY2(outputs.contains(QStringLiteral("-1  -1  -1  -1")), qPrintable(outputs));
    }

    void theDetailsLeaveAsTables()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("run")));
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
        auto* details = app.child<QTreeWidget>("runDetails");
        details->setCurrentItem(details->findItems(QStringLiteral("Outputs"), Qt::MatchExactly).first()->child(0));
        app.window.actions().at("edit.copy-csv")->trigger();
        QVERIFY2(copied().startsWith(QStringLiteral("Name,Type,")), qPrintable(copied()));
        QCOMPARE(copied().count(QStringLiteral("\r\n")), 1 + app.rows(QStringLiteral("Outputs")).size());
        app.window.actions().at("edit.copy-markdown")->trigger();
        QVERIFY2(copied().startsWith(QStringLiteral("| Name | Type |")), qPrintable(copied()));
    }

    void aWriteProbeIsMadeWhenItIsAskedFor_data()
    {
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QStringList>("rows");
        const QStringList ends = {QStringLiteral("a second run refreshed every output")};
        QTest::newRow("shared")
            << QStringLiteral("shared")
            << QStringList {QStringLiteral("output 0, a: written, 1 changed: writing 'a' changed 'b' (16 B)"),
                            QStringLiteral("output 1, b: written, 1 changed: writing 'b' changed 'a' (16 B)"),
                            QStringLiteral("input 0, x: written: writing 'x' changed nothing else"),
                            QStringLiteral("in the end 'a' reads 1 1 1 1"),
                            QStringLiteral("in the end 'b' reads 1 1 1 1"),
                            QStringLiteral("in the end 'x' reads 2 2 2 2")} +
                   ends;
        QTest::newRow("read-only") << QStringLiteral("read-only")
                                   << QStringList {QStringLiteral("output 0, a: refused: writing 'a' is refused: it "
                                                                  "shares its bytes with 'b'"),
                                                   QStringLiteral("output 1, b: refused: writing 'b' is refused: it "
                                                                  "shares its bytes with 'a'")};
        QTest::newRow("copy-on-write")
            << QStringLiteral("copy-on-write")
            << QStringList {QStringLiteral("output 0, a: detached: writing 'a' detached it: 16 B more"),
                            QStringLiteral("output 1, b: written: writing 'b' changed nothing else")};
    }

    void aWriteProbeIsMadeWhenItIsAskedFor()
    {
        QFETCH(QString, outputs);
        QFETCH(QStringList, rows);
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("outputs"), outputs).ok());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("alignment"), QStringLiteral("1")).ok());
        QVERIFY(app.ready());

        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
        QCOMPARE(app.rows(QStringLiteral("Write probe")), QStringList());
        app.child<QCheckBox>("runProbe")->click();
        const auto before = app.bench.session.run();
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run() && app.bench.session.run() != before, 20000);

        const QStringList shown = app.rows(QStringLiteral("Write probe"));
        QCOMPARE(shown.mid(0, rows.size()), rows);
        QVERIFY(app.rows(QStringLiteral("Run")).contains(QStringLiteral("Mode: numeric")));
        const QStringList results = app.rows(QStringLiteral("Outputs"));
        QVERIFY(results.size() == 2 && results[0].startsWith(QStringLiteral("a: float32[4]: ")));
        app.follow(QStringLiteral("Write probe"), 1);
        QCOMPARE(app.bench.selection.focus().value, findValue(*app.bench.session.report()->program.graph, "b"));
        QVERIFY(app.child<QLabel>("runHeadline")->text().endsWith(QStringLiteral("all equal")));
    }

    void gradientsAreAddedAndCallsRepeatedWhereThePoliciesSaySo()
    {
        Opened app("frozen-scale.json");
        QVERIFY(app.ready());
        app.child<QRadioButton>("gradients=add")->click();
        auto* calls = app.child<QLineEdit>("calls");
        calls->setText(QStringLiteral("train,nap"));
        calls->setModified(true);
        Q_EMIT calls->editingFinished();
        QVERIFY(app.child<QLabel>("calls:complaint")->text().contains(QStringLiteral("'nap' is none of")));
        calls->setText(QStringLiteral("train,train"));
        calls->setModified(true);
        Q_EMIT calls->editingFinished();
        QVERIFY(app.ready());
        QVERIFY(findValue(*app.bench.session.report()->program.graph, "grad:x:before").valid());

        app.child<QCheckBox>("runProbe")->click();
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);

        const QStringList shown = app.rows(QStringLiteral("Write probe"));
        QVERIFY2(shown.contains(QStringLiteral("writing outputs between forward and backward changed no gradient")),
                 qPrintable(shown.join(u'\n')));
        QVERIFY(app.child<QLabel>("runHeadline")->text().endsWith(QStringLiteral("all equal")));
    }

    /// Without a device the reason is said in one line; host memory may stand in for it.
    void aPlanForADeviceRunsThereOrSaysWhyNot()
    {
        Opened app("residual-block.json");
        QVERIFY(app.ready());
        auto* emulate = app.child<QCheckBox>("runEmulate");
        auto* headline = app.child<QLabel>("runHeadline");
        QVERIFY(emulate->isHidden());
        const Catalogue offers = test::catalogueFromText("relu1 cuda elementwise device=cuda:0\n");
        app.bench.session.setCatalogue(std::make_shared<const Catalogue>(offers));
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("backend"), QStringLiteral("cuda")).ok());
        QVERIFY(app.ready());
        QVERIFY(!emulate->isHidden());

        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!app.bench.run.running(), 20000);
        const bool device = app.bench.session.run() != nullptr;
        if (!device) QCOMPARE(headline->text(), QStringLiteral("It could not be run here."));
        const QString facts = app.child<QLabel>("runFacts")->text();
        const QString hint = QStringLiteral(". With 'emulate device' ticked the same kernels run on the host.");
        QVERIFY2(device || facts.endsWith(hint), qPrintable(facts));
        QVERIFY2(!facts.contains(QStringLiteral("plimsoll-cli")), qPrintable(facts));
        emulate->click();
        const auto before = app.bench.session.run();
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run() && app.bench.session.run() != before, 20000);
        QVERIFY(headline->text().endsWith(QStringLiteral("all equal")));
        QVERIFY(app.bench.session.run()->backend.starts_with("cuda (emulated)"));
        QVERIFY(app.bench.session.run()->measuredBySpace.at("cuda:0") > 0);
    }
};

QTEST_MAIN(RunPaneTest)
#include "tst_run_pane.moc"
