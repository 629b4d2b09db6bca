#include "core/facts/english/english.h"
#include "kernels/run/step/reference_times.h"

#include "core/facts/offers.h"
#include "core/pipeline/pipeline.h"
#include "kernels/backend.h"
#include "kernels/onednn/onednn.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

InferredGraph inferred(std::string_view text)
{
    return inferTypes(test::graphFromText(text), {}, {}).value();
}

Catalogue measured(std::string_view text, Catalogue catalogue = {})
{
    measureReference(inferred(text), catalogue, {});
    return catalogue;
}

Catalogue oneOffer(const Graph& graph, bool /*measure*/, const Context& /*context*/)
{
    Catalogue catalogue;
    catalogue.offers[graph.nodes.front().name].emplace_back();
    return catalogue;
}

double msOf(const Catalogue& catalogue, const char* node)
{
    const auto offers = catalogue.offers.find(node);
    if (offers == catalogue.offers.end() || offers->second.back().provenance != "measured") return -1;
    return offers->second.back().timeMs;
}

} // namespace

/// Plain loops are executed as well, so that what is compared is all measured.
class tst_ReferenceTimes : public QObject
{
    Q_OBJECT

private slots:
    void nodesAreExecutedOnDrawnInputs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("measured");
        const auto row = [](const char* name, const char* text, bool measured) {
            QTest::newRow(name) << QByteArray(text) << measured;
        };
        row("elements", "input x float32[64,64]\nn: y = Relu(x)\noutput y\n", true);
        row("a weight without data", "input x float32[4,4]\nparam w float32[4,4]\nn: y = MatMul(x, w)\noutput y\n",
            true);
        row("known positions", "input x float32[9,4]\nconst i int64[2] = 8 5\nn: y = Gather(x, i)\noutput y\n", true);
        row("a shape that follows from others",
            "input x float32[6,4]\nconst m int64[1] = -1\ns: f = Shape(x) end=1\nj: k = Concat(f, m) axis=0\n"
            "n: y = Reshape(x, k)\noutput y\n",
            true);
        row("inside of a branch",
            "input c bool[]\ninput x float32[4]\ni: z = If(c)\nbody then_branch\n  n: t = Relu(x)\n  output t\nend\n"
            "body else_branch\n  e: f = Tanh(x)\n  output f\nend\noutput z\n",
            false); // under the name of its path, see below
        row("as it is kept", "input x float32[8,8]@csr:9\ninput w float32[8,2]\nn: y = MatMul(x, w)\noutput y\n", true);
        row("nothing computes it so", "input x float32[8,8]@csr:9\nn: y = Exp(x)\noutput y\n", false);
        row("no kernel", "input x float32[4]\nn: y = my::Op(x)\nvalue y float32[4]\noutput y\n", false);
        row("an unknown shape", "input x float32[4,4]\nz: p = NonZero(x)\nn: y = Neg(p)\noutput y\n", false);
        row("what refuses its data", "input x string[4]\nn: y = Cast(x) to=1\noutput y\n", false);
    }
    void nodesAreExecutedOnDrawnInputs()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, measured);
        QCOMPARE(msOf(::measured(text.toStdString()), "n") >= 0, measured);
    }

    void nodesOfBodiesHaveTheirPath()
    {
        const Catalogue catalogue = measured("input c bool[]\ninput x float32[4]\ni: z = If(c)\nbody then_branch\n"
                                             "  n: t = Relu(x)\n  output t\nend\nbody else_branch\n"
                                             "  e: f = Tanh(x)\n  output f\nend\noutput z\n");
        QVERIFY(msOf(catalogue, "i/then_branch/n") >= 0);
        QVERIFY(msOf(catalogue, "i/else_branch/e") >= 0);
        QVERIFY(!catalogue.offers.contains("i"));
    }

    void alikeNodesAreExecutedOnce()
    {
        const Catalogue catalogue = measured("input x float32[64,64]\ni: w = Neg(x)\na: p = Exp(w)\nb: q = Exp(p)\n"
                                             "c: r = Elu(q) alpha=0.5\nd: y = Elu(r) alpha=0.25\noutput y\n");
        QCOMPARE(msOf(catalogue, "a"), msOf(catalogue, "b")); // of a double: no two measurements are the same
        QVERIFY(msOf(catalogue, "c") != msOf(catalogue, "d"));
    }

    void whatIsListedGetsItsTime()
    {
        Catalogue listed;
        Implementation library;
        library.backend = "fast";
        library.timeMs = 1;
        Implementation loops;
        loops.timeMs = 5;
        loops.provenance = "estimated";
        listed.offers["n"] = {library, loops};
        const Catalogue after = measured("input x float32[8,8]\nn: y = Relu(x)\noutput y\n", listed);
        QCOMPARE(after.offers.at("n").size(), std::size_t(2));
        QCOMPARE(after.offers.at("n").front(), library);
        QCOMPARE(after.offers.at("n").back().provenance, std::string("measured"));
        QVERIFY(after.offers.at("n").back().timeMs < 5);
    }

    void nobodyWaitsForWhatTakesTooLong()
    {
        Catalogue listed;
        Implementation loops;
        loops.timeMs = LongestReferenceMs + 1;
        loops.provenance = "estimated";
        listed.offers["n"] = {loops};
        const Catalogue after = measured("input x float32[8,8]\nn: y = Relu(x)\noutput y\n", listed);
        QCOMPARE(after.offers.at("n").front().provenance, std::string("estimated"));
    }

    void itStopsBetweenTwoNodes()
    {
        std::stop_source stop;
        std::vector<double> told;
        const Context context {stop.get_token(), [&](std::string_view, double done) {
                                   told.push_back(done);
                                   if (told.size() == 2) stop.request_stop();
                               }};
        Catalogue catalogue;
        measureReference(inferred("input x float32[8]\na: p = Exp(x)\nb: q = Log(p)\nc: y = Relu(q)\noutput y\n"),
                         catalogue, context);
        QCOMPARE(told.size(), std::size_t(2));
        QVERIFY(catalogue.offers.contains("a") && !catalogue.offers.contains("c"));
        QVERIFY(
            !describeBackends(test::graphFromText("input x float32[8]\na: y = Exp(x)\noutput y\n"), {}, context, {true})
                 .ok());
    }

    /// Beside measured times an estimate says nothing; a named backend gives what it has.
    void whatCannotBeMeasuredIsLeftOutUnlessItIsNamed()
    {
        const Graph graph = test::graphFromText("input x float32[2]\nn: y = Relu(x)\noutput y\n");
        const auto answer = [&graph](const Backend& backend, const BackendQuestion& question) {
            Catalogue all;
            askBackend(backend, graph, question, {}, all);
            const std::string offers = std::to_string(all.offers["n"].size());
            return QString::fromStdString(offers + " " + english(all.environment["guess"]) +
                                          english(all.absent["guess"]));
        };
        const Backend device {.name = "guess", .title = "Guess", .describe = oneOffer, .describesAnywhere = true};
        const Backend library {.name = "guess", .title = "Guess", .describe = oneOffer, .measures = true};
        QCOMPARE(answer(device, {}), QStringLiteral("1 "));
        QCOMPARE(answer(device, {true}), QStringLiteral("0 not measured"));
        QCOMPARE(answer(device, {true, {"guess"}}), QStringLiteral("1 "));
        QCOMPARE(answer(library, {true}), QStringLiteral("1 "));
    }

    /// Libraries, reorders and loops: nothing that is compared is a guess.
    void everythingThatIsComparedIsMeasured()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
        const Graph graph = test::graphFromText("input x float32[1,22,28,28]\nparam w float32[22,22,3,3]\n"
                                                "c: a = Conv(x, w) pads=[1,1,1,1]\np: b = MaxPool(a) "
                                                "kernel_shape=[3,3]\nt: d = Transpose(b) perm=[0,2,3,1]\n"
                                                "s: y = Softplus(d)\noutput y\n");
        const auto catalogue = describeBackends(graph, {}, {}, {true});
        QVERIFY(catalogue.ok());
        auto all = catalogue.value().offers;
        all.insert(catalogue.value().reorders.begin(), catalogue.value().reorders.end());
        QVERIFY(all.size() > catalogue.value().offers.size());
        for (const auto& [name, offers] : all) {
            for (const Implementation& offer : offers)
                QVERIFY2(offer.provenance == "measured" && offer.timeMs >= 0, (name + " " + describe(offer)).c_str());
        }
        PlanRequest request;
        request.catalogue = std::make_shared<const Catalogue>(catalogue.value());
        const Report report = analyse(graph, request, {}).value();
        QVERIFY(kernelTime(report.program).measured);
        QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(tst_ReferenceTimes)
#include "tst_reference_times.moc"
