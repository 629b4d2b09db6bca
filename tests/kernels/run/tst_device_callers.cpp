#include "core/facts/english/english.h"
#include "core/ops/reorder_node.h"
#include "tests/kernels/run/device_support.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr std::string_view Chain = "input x float32[16]\n"
                                   "param w float32[16]\n"
                                   "a: p = Relu(x)\n"
                                   "b: q = Mul(p, w)\n"
                                   "c: r = Sigmoid(q)\n"
                                   "d: s = Add(r, p)\n"
                                   "e: t = Tanh(s)\n"
                                   "output t\n";

/// As if these values had been captured on the device.
Graph capturedThere(std::string_view text, const std::vector<std::string>& values)
{
    Graph graph = test::graphFromText(text);
    for (const std::string& name : values)
        graph[findValue(graph, name)].at.edit().space = "cuda:0";
    return graph;
}

Report plannedThere(std::string_view text, const std::vector<std::string>& captured, Policies policies = {},
                    std::optional<PlanFile> given = {})
{
    const Graph graph = capturedThere(text, captured);
    std::string offers;
    for (const Node& node : graph.nodes)
        offers += node.name + " cuda map device=cuda:0\n";
    return test::plannedForDevice(graph, test::catalogueFromText(offers), policies, std::move(given));
}

Policies with(const char* id, const char* value)
{
    Policies policies;
    if (!setPolicy(policies, id, value).ok()) qFatal("no policy %s=%s", id, value);
    return policies;
}

std::ptrdiff_t copiesIn(const Report& report)
{
    return std::ranges::count_if(report.program.graph->nodes, isSpaceCopy);
}

} // namespace

/// Tensors that the caller hands and takes on the device, and bytes that are written in place there.
class tst_DeviceCallers : public QObject
{
    Q_OBJECT

private slots:
    /// Who hands and takes tensors of the device has nothing copied for him.
    void theCallersTensorsLieOnTheDevice_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QString>("value");
        QTest::newRow("by default") << QStringLiteral("inputs") << QStringLiteral("protect");
        QTest::newRow("in bytes that he gave away") << QStringLiteral("inputs") << QStringLiteral("donate");
        QTest::newRow("into buffers that he brings") << QStringLiteral("outputs") << QStringLiteral("external");
        QTest::newRow("shared") << QStringLiteral("outputs") << QStringLiteral("shared");
        QTest::newRow("copied on write") << QStringLiteral("outputs") << QStringLiteral("copy-on-write");
        QTest::newRow("replayed") << QStringLiteral("replay") << QStringLiteral("graph");
    }

    void theCallersTensorsLieOnTheDevice()
    {
        QFETCH(QString, policy);
        QFETCH(QString, value);
        const Policies policies = with(policy.toUtf8().constData(), value.toUtf8().constData());
        const Report report = plannedThere(Chain, {"x", "w", "t"}, policies);
        QCOMPARE(test::errorsIn(report), QString());
        QCOMPARE(copiesIn(report), 0);
        for (const bool probe : {false, true}) {
            kernels::RunRequest request;
            request.writeProbe = probe;
            const auto device = std::make_shared<test::HostDevice>();
            const auto outcome = test::runOn(device, report, request);
            QCOMPARE(test::faultOf(outcome), QString());
            QCOMPARE(device->ran.size(), std::size_t(5));
            QVERIFY(outcome.value().result.copies.empty());
            QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(Chain))));
            if (probe) QVERIFY(outcome.value().result.probe->refreshedOutputs == 1);
        }
    }

    void aPlanThatIsHandedInSaysWhatComputesIt()
    {
        PlanFile plan = planOf(test::plannedForReference(Chain));
        const auto there = [&] {
            const Report judged = plannedThere(Chain, {"x", "w", "t"}, {}, plan);
            return std::ranges::count_if(judged.program.implementations.chosen(),
                                         [](const Implementation& one) { return one.device == "cuda:0"; });
        };
        QCOMPARE(there(), 0);
        plan.implementations.reset(); // the policy says it
        QCOMPARE(there(), 5);
    }

    void aDonatedInputIsWrittenOverWhereItLies()
    {
        const char* const text = "input x float32[16]\na: p = Relu(x)\nb: y = Tanh(p)\noutput y\n";
        Graph graph = capturedThere(text, {"x", "y"});
        graph[findValue(graph, "x")].visible = false;
        const Catalogue offers = test::catalogueFromText("a cuda map device=cuda:0\nb cuda map device=cuda:0\n");
        const Report report = test::plannedForDevice(graph, offers, with("inputs", "donate"));
        QCOMPARE(test::errorsIn(report), QString());
        const ValueId x = findValue(*report.program.graph, "x");
        QCOMPARE(report.program.map.values[findValue(*report.program.graph, "p").index()].host, x);
        QCOMPARE(report.program.map.values[findValue(*report.program.graph, "y").index()].host, x);
        QCOMPARE(report.memory.peakBytes, 0);
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(text))));
        Report kept = report; // as if the caller kept them on the CPU
        Graph copy = *report.program.graph;
        copy[x].at.edit().space.clear();
        kept.program.graph = std::make_shared<const Graph>(std::move(copy));
        QVERIFY2(test::errorsIn(kept).contains(QStringLiteral("wrong-space: Node 'a'")),
                 qPrintable(test::errorsIn(kept)));
    }

    void aBroughtBufferIsFilledWhereItLies()
    {
        for (const bool there : {false, true}) {
            const Report report =
                plannedThere(Chain, there ? std::vector<std::string> {"t"} : std::vector<std::string> {},
                             with("outputs", "external"));
            QCOMPARE(test::errorsIn(report), QString());
            const ValueId t = findValue(*report.program.graph, "t");
            QCOMPARE(report.program.map.values[t.index()].host, t);
            QCOMPARE(isSpaceCopy((*report.program.graph)[(*report.program.graph)[t].producer]), !there);
            const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report);
            QCOMPARE(test::faultOf(outcome), QString());
            QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(Chain))));
        }
    }

    /// Writes in place on the device, in bytes of the caller or of the plan.
    void whatIsWrittenInPlaceIsWrittenOnTheDevice_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("captured");
        QTest::addColumn<int>("onDevice");
        const QByteArray given = "input x float32[16]\nm: z = plimsoll::Exp_(x)\nn: y = Relu(z)\noutput y\n";
        QTest::newRow("the caller's, there") << given << QStringList {QStringLiteral("x")} << 2;
        QTest::newRow("the caller's, here") << given << QStringList {} << 0;
        QTest::newRow("handed back") << QByteArray("input x float32[16]\nm: z = plimsoll::Exp_(x)\noutput z\n")
                                     << QStringList {QStringLiteral("x"), QStringLiteral("z")} << 1;
        QTest::newRow("made on the way") << QByteArray("input x float32[16]\na: p = Relu(x)\nm: q = plimsoll::Neg_(p)\n"
                                                       "k: r = plimsoll::Add_(q, x)\nn: y = Tanh(r)\noutput y r\n")
                                         << QStringList {} << 4;
        QTest::newRow("through a view")
            << QByteArray("input x float32[16]\na: p = Relu(x)\nv: w = plimsoll::Detach(p)\nm: q = plimsoll::Neg_(p)\n"
                          "n: y = Tanh(q)\noutput y\n")
            << QStringList {} << 4;
    }

    void whatIsWrittenInPlaceIsWrittenOnTheDevice()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, captured);
        QFETCH(int, onDevice);
        const std::vector<std::string> names = test::namesOf(captured);
        const Report report = plannedThere(text.toStdString(), names);
        const auto device = std::make_shared<test::HostDevice>();
        const auto outcome = test::runOn(device, report);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(static_cast<int>(device->ran.size()), onDevice);
        const Report cpu = test::plannedForReference(text.toStdString());
        QCOMPARE(test::errorsIn(report), test::errorsIn(cpu));
        QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, cpu)));
    }

    void whereTheCallersTensorsAreIsNoted()
    {
        const auto notesOf = [](const Report& report) {
            std::string all;
            for (const std::string& note : english(report.notes))
                all += note + "\n";
            return QString::fromStdString(all);
        };
        const QString there = notesOf(plannedThere(Chain, {"x", "w", "t"}));
        QVERIFY2(there.contains(QStringLiteral("have 3 tensors in the memory of cuda:0, as captured")),
                 qPrintable(there));
        const Graph graph = capturedThere("input x float32[16]\ninput v float32[16]\nm: z = plimsoll::Exp_(v)\n"
                                          "n: y = Relu(x)\noutput y z\n",
                                          {"x", "v"});
        const QString here =
            notesOf(test::plannedForDevice(graph, test::catalogueFromText("n cuda map device=cuda:0\n")));
        QVERIFY2(here.contains(QStringLiteral("have 1 tensor in the memory of cuda:0")), qPrintable(here));
        QVERIFY2(here.contains(QStringLiteral("in the memory of the CPU, with copies: v ")) ||
                     here.contains(QStringLiteral("in the memory of the CPU, with copies: 'v' ")),
                 qPrintable(here));
    }
};

QTEST_APPLESS_MAIN(tst_DeviceCallers)
#include "tst_device_callers.moc"
