#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr const char* Fixed = "input x float32[1,16]\ninput y float32[n]\na: z = Relu(x)\noutput z";

QStringList notesOf(const Report& report)
{
    QStringList notes;
    for (const std::string& note : english(report.notes))
        notes << QString::fromStdString(note);
    return notes;
}

QStringList planned(const PlanRequest& request)
{
    return notesOf(analyse(test::graphFromText(Fixed), request, {}).value());
}

} // namespace

class PipelineNotesTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingSpecialNeedsNoNote() { QCOMPARE(planned({}), QStringList()); }

    void whatTheReaderNotedIsInTheReport()
    {
        Graph graph = test::graphFromText(Fixed);
        graph.notes = {Message("A file is missing.")};

        QCOMPARE(notesOf(analyse(graph, {}, {}).value()), QStringList {QStringLiteral("A file is missing.")});
    }

    void anotherShapeThanTheFileFixesIsNoted()
    {
        PlanRequest request;
        request.shapes.shapes = {{"x", {8, 16}}, {"y", {4}}};

        const QStringList notes = planned(request);

        QCOMPARE(notes.size(), 1);
        QVERIFY2(notes[0].contains(QStringLiteral("'x' is float32[1,16] in the file and was planned as float32[8,16]")),
                 qPrintable(notes[0]));
        request.shapes.shapes = {{"x", {1, 16}}, {"y", {4}}};
        QCOMPARE(planned(request), QStringList());
    }

    void anOpsetOfTheFutureIsNoted_data()
    {
        QTest::addColumn<qint64>("opset");
        QTest::addColumn<bool>("noted");
        QTest::newRow("the newest") << qint64(27) << false;
        QTest::newRow("of tomorrow") << qint64(99) << true;
    }

    void anOpsetOfTheFutureIsNoted()
    {
        QFETCH(qint64, opset);
        QFETCH(bool, noted);
        Graph graph = test::graphFromText(Fixed);
        graph.opsets[""] = opset;

        const QStringList notes = notesOf(analyse(graph, {}, {}).value());

        QCOMPARE(notes.size(), noted ? 1 : 0);
        if (noted) QVERIFY2(notes[0].contains(QStringLiteral("of opset 99 of ONNX, and 27 is")), qPrintable(notes[0]));
    }

    void aCapacityOfNoMemoryIsWrongUsage()
    {
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, "capacity", "sram=64KiB").ok());

        const auto report = analyse(test::graphFromText(Fixed), request, {});

        QVERIFY(!report.ok());
        QCOMPARE(report.error().code, ErrorCode::BadUsage);
        const QString said = QString::fromStdString(english(report.error().message));
        QVERIFY2(said.contains(QStringLiteral("'sram', which neither the graph nor the plan has. There is: 'cpu'.")),
                 qPrintable(said));
    }

    void oddOffersOfAFileAreNoted_data()
    {
        QTest::addColumn<QByteArray>("offers");
        QTest::addColumn<QString>("note");
        QTest::newRow("of a node") << QByteArray("a onednn jit") << QString();
        QTest::newRow("of no node") << QByteArray("nosuch onednn jit\nnone onednn jit")
                                    << QStringLiteral(
                                           "The catalogue o.json has offers for 2 nodes that this graph does "
                                           "not have, so they have no effect: 'none', 'nosuch'.");
        QTest::newRow("of a backend that is none")
            << QByteArray("a foo jit ms=0.001")
            << QStringLiteral("The catalogue o.json has offers of 'foo', which is no backend of this program: they are "
                              "planned with like any other, and cannot run here.");
        QTest::newRow("in a layout that is none")
            << QByteArray("a onednn jit in=odd out=odd\na onednn gemm in=odd out=odd")
            << QStringLiteral("The catalogue o.json has offers in layouts that their tensors cannot have, which are "
                              "passed over: 'a'; explain says why.");
    }

    void oddOffersOfAFileAreNoted()
    {
        QFETCH(QByteArray, offers);
        QFETCH(QString, note);
        Catalogue catalogue = test::catalogueFromText(offers.toStdString());
        catalogue.file = "o.json";
        PlanRequest request;
        request.catalogue = std::make_shared<const Catalogue>(catalogue);
        QCOMPARE(planned(request).join(u'|'), note);

        catalogue.file.clear(); // asked of libraries, not written
        request.catalogue = std::make_shared<const Catalogue>(catalogue);
        QCOMPARE(planned(request), QStringList());
    }

    void keysThatMeanNothingAreNoted()
    {
        PlanRequest request;
        Catalogue catalogue;
        catalogue.file = "o.json";
        catalogue.unknownKeys = {"made"};
        request.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
        PlanFile given;
        given.file = "p.json";
        given.unknownKeys = {"a", "b", "c", "d"};
        request.givenPlan = sharedPlan(std::move(given));
        QCOMPARE(planned(request),
                 (QStringList {QStringLiteral("The plan p.json has keys that mean nothing here, and that are passed "
                                              "over: 'a', 'b', 'c' and 1 more."),
                               QStringLiteral("The catalogue o.json has keys that mean nothing here, and that are "
                                              "passed over: 'made'.")}));
    }

    void aPolicyWithoutEffectIsNoted()
    {
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, "colours", "2").ok());
        QCOMPARE(planned(request),
                 QStringList {QStringLiteral("colours=2 has no effect: only with placement=storage-reuse.")});

        QVERIFY(setPolicy(request.policies, "placement", "storage-reuse").ok());
        QCOMPARE(planned(request), QStringList());
        QVERIFY(setPolicy(request.policies, "streams", "2").ok()); // captured ones are asked of the file
        QCOMPARE(planned(request), QStringList());
    }

    void policiesThatAskForWhatTheGraphHasNotAreNoted_data()
    {
        QTest::addColumn<QByteArray>("policy");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("why");
        const QString noLoss = QStringLiteral("the graph has no loss to go back from");
        const QString noBackward =
            QStringLiteral("the file names no loss, and no node as the first of a backward half");
        QTest::newRow("saved") << QByteArray("saved") << QByteArray("save-all") << noLoss;
        QTest::newRow("gradients") << QByteArray("gradients") << QByteArray("null") << noLoss;
        QTest::newRow("recompute") << QByteArray("recompute") << QByteArray("cheap") << noBackward;
        QTest::newRow("donation") << QByteArray("donation") << QByteArray("on") << noBackward;
        QTest::newRow("backwards") << QByteArray("backwards") << QByteArray("2") << noBackward;
        QTest::newRow("retain-graph") << QByteArray("retain-graph") << QByteArray("on") << noBackward;
        QTest::newRow("sparse") << QByteArray("sparse") << QByteArray("dense")
                                << QStringLiteral("no tensor of the graph is sparse");
        QTest::newRow("dynamic") << QByteArray("dynamic") << QByteArray("bounded")
                                 << QStringLiteral("every tensor has a size before the run");
        QTest::newRow("streams") << QByteArray("streams") << QByteArray("captured")
                                 << QStringLiteral("the graph file puts no node on a stream");
    }

    void policiesThatAskForWhatTheGraphHasNotAreNoted()
    {
        QFETCH(QByteArray, policy);
        QFETCH(QByteArray, value);
        QFETCH(QString, why);
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, policy.toStdString(), value.toStdString()).ok());

        QCOMPARE(planned(request), QStringList {QString::fromUtf8(policy) + u'=' + QString::fromUtf8(value) +
                                                QStringLiteral(" has no effect: ") + why + u'.'});
    }

    void aGraphOfAnotherDeviceThatThePlanComputesOnTheCpuIsNoted()
    {
        Graph graph = test::graphFromText("input x float32[4]\nn: y = Relu(x)\noutput y\n");
        for (Value& value : graph.values)
            value.at.edit().space = "cuda:0";
        PlanRequest request;
        QCOMPARE(notesOf(analyse(graph, request, {}).value()), QStringList()); // the tensors alone
        Implementation offer;
        offer.backend = "onednn";
        offer.name = "jit";
        offer.timeMs = 0.001;
        request.catalogue = std::make_shared<const Catalogue>(Catalogue {{{"n", {offer}}}, {}});

        const QStringList notes = notesOf(analyse(graph, request, {}).value());

        QCOMPARE(notes.size(), 1);
        QVERIFY2(notes[0].startsWith(QStringLiteral("The graph was captured on cuda:0, and is planned with the kernels "
                                                    "of the CPU")),
                 qPrintable(notes[0]));
        QVERIFY(notes[0].contains(QStringLiteral("backend=captured")));

        offer.backend = "cuda";
        offer.device = "cuda:0";
        request.policies.backend = BackendPolicy::Cuda;
        request.catalogue = std::make_shared<const Catalogue>(Catalogue {{{"n", {offer}}}, {}});
        const QStringList there = notesOf(analyse(graph, request, {}).value());
        QCOMPARE(there.size(), 1);
        QVERIFY2(there[0].startsWith(QStringLiteral("The caller is taken to have 2 tensors in the memory of cuda:0")),
                 qPrintable(there[0]));
    }

    /// Of a captured training graph.
    void aBackwardHalfMayComeWithoutALoss()
    {
        Graph graph = test::graphFromText(Fixed);
        graph.boundary.firstBackward = graph.top().nodes.back();
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, "recompute", "cheap").ok());
        const QString notes = notesOf(analyse(graph, request, {}).value()).join(u'|');
        QVERIFY2(!notes.contains(QStringLiteral("backward half")), qPrintable(notes));
    }

    void aPlanOfAnotherGraphIsNoted()
    {
        const Graph graph = test::graphFromText(Fixed);
        PlanRequest request;
        request.policies.backend = BackendPolicy::Captured; // as a given plan is judged
        request.givenPlan = sharedPlan(planOf(analyse(graph, {}, {}).value()));
        QCOMPARE(notesOf(analyse(graph, request, {}).value()), QStringList());

        request.shapes.dims = {{"n", 3}};
        const QStringList notes = notesOf(analyse(graph, request, {}).value());

        QCOMPARE(notes.size(), 1);
        QVERIFY2(notes[0].contains(QStringLiteral("made for another graph, or for other shapes")),
                 qPrintable(notes[0]));
        PlanFile unknown = *request.givenPlan;
        unknown.graphDigest.reset();
        request.givenPlan = sharedPlan(std::move(unknown));
        QCOMPARE(notesOf(analyse(graph, request, {}).value()), QStringList());
    }
};

QTEST_APPLESS_MAIN(PipelineNotesTest)
#include "tst_pipeline_notes.moc"
