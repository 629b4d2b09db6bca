#include "core/facts/offers.h"
#include "kernels/onednn/onednn.h"
#include "tests/app/support/open_window.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const char* Network = R"({"schema": "plimsoll.graph/1", "name": "net",
 "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 22, 46, 34]}],
 "parameters": [{"name": "w", "dtype": "float32", "shape": [22, 22, 3, 3]}],
 "nodes": [{"name": "conv", "op": "Conv", "inputs": ["x", "w"], "outputs": ["a"], "attributes": {"pads": [1, 1, 1, 1]}},
           {"name": "relu", "op": "Relu", "inputs": ["a"], "outputs": ["y"]}],
 "outputs": ["y"]})";

/// The window on a convolution, with a real plimsoll-cli behind it.
struct Opened : test::OpenWindow
{
    QTemporaryDir folder;
    Opened()
    {
        bench.offers.measured.setProgram(QStringLiteral(PLIMSOLL_CLI));
        QFile file(folder.filePath(QStringLiteral("net.json")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write the network");
        file.write(Network);
        file.close();
        window.resize(1500, 1000);
        window.show();
        window.open(file.fileName());
    }
};

} // namespace

class MeasureStripTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!kernels::oneDnnAvailable()) QSKIP("built without oneDNN");
        QStandardPaths::setTestModeEnabled(true);
    }

    void offersAreMeasuredWhenItIsAskedFor()
    {
        Opened opened;
        QVERIFY(opened.ready());
        QVERIFY(!opened.child<QLabel>("measureTime0")->text().contains(QStringLiteral("measured")));
        opened.child<QPushButton>("measureStart")->click();
        QVERIFY(!opened.child<QPushButton>("measureCancel")->isHidden());
        QVERIFY(!opened.child<QPushButton>("measureStart")->isEnabled());
        QVERIFY(
            QTest::qWaitFor([&] { return !opened.bench.offers.measured.running() && opened.window.settled(); }, 60000));
        const auto report = opened.bench.session.report();
        const NodeId conv = findNode(*report->program.graph, "conv");
        QCOMPARE(report->program.implementations[conv].provenance, std::string("measured"));
        QVERIFY(kernelTime(report->program).measured);
        const Message& integers = report->planning.environment.at("int8");
        QVERIFY2(integers.id.starts_with("onednn."), "the window cannot say it in its own language");
        QTRY_VERIFY(opened.child<QLabel>("measureTime0")->text().contains(QStringLiteral("s, measured")));
        // The plans beside it come one after the other, in the background.
        QTRY_VERIFY(opened.child<QLabel>("measureTime1")->text().contains(QStringLiteral("s, measured")));
        QTRY_VERIFY(opened.child<QLabel>("measureTime2")->text().contains(QStringLiteral("s, measured")));
        QVERIFY(opened.child<QPushButton>("measureStart")->isEnabled());
    }

    void aCancelledMeasurementChangesNothing()
    {
        Opened opened;
        QVERIFY(opened.ready());
        const auto before = opened.bench.session.report();
        const QSignalSpy changed(&opened.bench.session, &Session::reportChanged);
        opened.child<QPushButton>("measureStart")->click();
        opened.child<QPushButton>("measureCancel")->click();
        QVERIFY(!opened.bench.offers.measured.running());
        QCOMPARE(changed.count(), 0);
        QCOMPARE(opened.bench.session.report(), before);
        QVERIFY(opened.child<QLabel>("measureSaid")->text().contains(QStringLiteral("Stopped")));
    }
};

QTEST_MAIN(MeasureStripTest)
#include "tst_measure_strip.moc"
