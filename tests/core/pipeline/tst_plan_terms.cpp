#include "core/facts/english/english.h"
#include "core/facts/words/terms_text.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/terms.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QtTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// Odd channels, so that blocks of eight take more bytes.
constexpr std::string_view Network = "input x float32[1,22,46,34]\n"
                                     "param w float32[22,22,3,3]\n"
                                     "conv: a = Conv(x, w) pads=[1,1,1,1]\n"
                                     "relu: b = Relu(a)\n"
                                     "half: c = Mul(b, b)\n"
                                     "out: y = Sigmoid(c)\n"
                                     "output y\n";

/// A machine whose kernels want blocks, padding and a scratchpad.
constexpr std::string_view Machine =
    "conv blocked jit in=nChw8c out=nChw8c weights=1:ABcd8b8a:20736 scratch=4096 ms=1\n"
    "relu blocked jit in=nChw8c out=nChw8c ms=1 inplace=0:0\n"
    "half blocked jit in=nChw8c,nChw8c out=nChw8c scratch=64 ms=1 inplace=\n";

/// One whose kernels compute a node along with the one before it.
constexpr std::string_view Fusing = "conv fast jit with=relu ms=1\nconv fast jit ms=9\nrelu fast jit ms=9\n"
                                    "half fast jit scratch=640 ms=1\n";

std::shared_ptr<const Catalogue> offers(std::string_view text)
{
    return std::make_shared<const Catalogue>(test::catalogueFromText(text));
}

Report analysed(std::string_view graph, const PlanRequest& request)
{
    auto report = analyse(test::graphFromText(graph), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

PlanFile planFrom(std::string_view text)
{
    auto plan = readPlanJson(text, "plan.json");
    if (!plan.ok()) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan).value();
}

/// As the command line judges a plan: on its own terms, unless \p backend is named.
PlanRequest judging(PlanFile plan, const char* machine = "", const char* backend = nullptr)
{
    PlanRequest request;
    request.givenPlan = sharedPlan(std::move(plan));
    request.catalogue = offers(machine);
    takeTerms({}, request.givenPlan.get(), {}, request.policies);
    if (backend && !setPolicy(request.policies, "backend", backend).ok()) qFatal("no such backend");
    return request;
}

QString errorsOf(const Report& report)
{
    QString text;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) text += QString::fromStdString(english(finding.message)) + u'\n';
    }
    return text;
}

QString notesOf(const Report& report)
{
    QString text;
    for (const std::string& note : english(report.notes))
        text += QString::fromStdString(note) + u'\n';
    return text;
}

/// A plan for Network as it is written by hand.
constexpr std::string_view Plain = R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 275328, "alignment": 64}],
    "allocations": [{"value": "a", "offset": 0, "bytes": 137632}, {"value": "b", "offset": 137664, "bytes": 137632},
                    {"value": "c", "offset": 0, "bytes": 137632}, {"value": "y", "offset": 137664, "bytes": 137632}],
    "steps": ["conv", "relu", "half", "out"]})";

QByteArray changed(const char* from, const char* to)
{
    return QByteArray(Plain.data(), static_cast<qsizetype>(Plain.size())).replace(from, to);
}

} // namespace

class PlanTermsTest : public QObject
{
    Q_OBJECT

private slots:
    /// Whatever the policy says of plans of our own.
    void whatAGivenPlanLeavesOutIsUnplanned()
    {
        for (const char* dynamic : {"dynamic=fallback", "dynamic=bounded"}) {
            PlanRequest request = judging(planFrom(R"({"schema": "plimsoll.plan/1",
                "arenas": [{"space": "cpu", "bytes": 32, "alignment": 1}],
                "allocations": [{"value": "i", "offset": 0, "bytes": 32}]})"));
            test::chooseFromText(request.policies, dynamic);
            const Report report = analysed("input x float32[4]\ni = NonZero(x)\ny = Cast(i) to=1\noutput y\n", request);
            QCOMPARE(errorsOf(report), QString());
            QCOMPARE(report.memory.unplanned.size(), std::size_t {1});
            QCOMPARE(report.program.graph->values[report.memory.unplanned[0].value.index()].name, std::string("y"));
            QCOMPARE(report.memory.unplanned[0].upperBoundBytes, 16);
        }
    }

    void eachFormatHasItsTerms_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<int>("alignment");
        QTest::addColumn<QByteArray>("backend");
        QTest::newRow("ONNX") << QByteArray("onnx") << 64 << QByteArray("auto");
        QTest::newRow("our own") << QByteArray("plimsoll.graph/1") << 64 << QByteArray("auto");
        QTest::newRow("MXNet") << QByteArray("mxnet") << 64 << QByteArray("auto");
        QTest::newRow("PyTorch") << QByteArray("pytorch") << 64 << QByteArray("captured");
        QTest::newRow("XLA") << QByteArray("hlo") << 64 << QByteArray("captured");
        QTest::newRow("TensorFlow Lite") << QByteArray("tflite") << 16 << QByteArray("captured");
        QTest::newRow("ExecuTorch") << QByteArray("executorch") << 16 << QByteArray("captured");
        QTest::newRow("a table") << QByteArray("packing table") << 1 << QByteArray("captured");
        QTest::newRow("a snapshot") << QByteArray("memory snapshot") << 1 << QByteArray("captured");
    }

    void eachFormatHasItsTerms()
    {
        QFETCH(QByteArray, format);
        QFETCH(int, alignment);
        QFETCH(QByteArray, backend);
        Graph graph;
        graph.file.format = format.toStdString();
        Policies policies;
        policies.backend = BackendPolicy::Reference; // of the graph before

        takeTerms(graph, nullptr, {}, policies);

        QCOMPARE(policies.alignment, alignment);
        QCOMPARE(policyValue(policies, "backend"), backend.toStdString());
        PlanFile plan;
        plan.arenas = {{"cpu", 96, 48, {}}, {"sram", 96, 32, {}}};
        takeTerms(graph, &plan, {}, policies);
        QCOMPARE(policyValue(policies, "backend"), std::string("captured"));
        QCOMPARE(policies.alignment, termsOf(graph).alignment.value_or(16));
        QCOMPARE(policyValue(policies, "inputs"), std::string(format == "hlo" ? "donate" : "protect"));
        takeTerms(graph, nullptr, {}, policies);
        QCOMPARE(policyValue(policies, "inputs"), std::string("protect"));
    }

    void whatIsNamedStays()
    {
        Graph graph;
        graph.file.format = "tflite";
        Policies policies = test::policiesWith({{"alignment", "8"}, {"backend", "reference"}});

        const PlanFile plan;
        takeTerms(graph, &plan, {"alignment", "backend"}, policies);

        QCOMPARE(policies, test::policiesWith({{"alignment", "8"}, {"backend", "reference"}}));
    }

    void onItsOwnTermsAGraphNeedsItsTensorsAlone_data()
    {
        QTest::addColumn<QByteArray>("machine");
        QTest::newRow("nothing on offer") << QByteArray();
        QTest::newRow("blocks") << QByteArray(Machine.data());
        QTest::newRow("fusion") << QByteArray(Fusing.data());
    }

    void onItsOwnTermsAGraphNeedsItsTensorsAlone()
    {
        QFETCH(QByteArray, machine);
        PlanRequest request;
        request.catalogue = offers(machine.toStdString());
        request.policies = test::policiesWith({{"backend", "captured"}});

        const Report report = analysed(Network, request);

        QCOMPARE(report.program.graph->nodes.size(), std::size_t(4));
        QVERIFY(report.program.map.scratch.empty());
        QVERIFY(report.planning.environment.empty());
        for (const Implementation& one : report.program.implementations.chosen())
            QCOMPARE(one, Implementation());
        QCOMPARE(report.memory.peakBytes, analysed(Network, {}).memory.peakBytes);
        QVERIFY(
            QString::fromStdString(english(termsSentence(report))).startsWith(QStringLiteral("backend=captured: ")));
    }

    void aPinIsTakenAllTheSame()
    {
        PlanRequest request;
        request.catalogue = offers(Fusing);
        request.policies = test::policiesWith({{"backend", "captured"}});
        request.constraints.pins = {{"half", "fast"}};

        const Report report = analysed(Network, request);

        QCOMPARE(report.program.map.scratch.size(), std::size_t(1));
        QCOMPARE(report.program.implementations[findNode(*report.program.graph, "relu")], Implementation());
    }

    void aPlanThatNamesNoImplementationIsJudgedAlikeEverywhere_data()
    {
        onItsOwnTermsAGraphNeedsItsTensorsAlone_data();
    }

    void aPlanThatNamesNoImplementationIsJudgedAlikeEverywhere()
    {
        QFETCH(QByteArray, machine);
        QCOMPARE(errorsOf(analysed(Network, judging(planFrom(Plain), machine.constData()))), QString());
        const QByteArray overlap = changed("\"b\", \"offset\": 137664", "\"b\", \"offset\": 64");
        const Report broken = analysed(Network, judging(planFrom(overlap.toStdString()), machine.constData()));
        QVERIFY(!errorsOf(broken).isEmpty());
    }

    void whatTheBackendsNeedIsANote()
    {
        const QString notes = notesOf(analysed(Network, judging(planFrom(Plain), Machine.data())));

        QVERIFY2(notes.contains(QStringLiteral("would need more than the plan has: scratchpads of up to 4,096 B and 2 "
                                               "reordered tensors of 275,264 B in all")),
                 qPrintable(notes));
        QCOMPARE(notesOf(analysed(Network, judging(planFrom(Plain)))), QString());
    }

    void onRequestThePlanIsJudgedWithTheBackends()
    {
        const Report report = analysed(Network, judging(planFrom(Plain), Fusing.data(), "auto"));

        QVERIFY2(errorsOf(report).contains(QStringLiteral("needs a scratchpad of 640 bytes")),
                 qPrintable(errorsOf(report)));
    }

    void ourOwnPlanIsJudgedAlikeUnderAnyBackend_data()
    {
        QTest::addColumn<QByteArray>("machine");
        QTest::addColumn<QByteArray>("made");
        for (const auto& [name, machine] : {std::pair {"blocks", Machine}, std::pair {"fusion", Fusing},
                                            std::pair {"nothing on offer", std::string_view()}}) {
            for (const char* made : {"auto", "reference", "captured"})
                QTest::addRow("%s, %s", name, made) << QByteArray(machine.data()) << QByteArray(made);
        }
    }

    void ourOwnPlanIsJudgedAlikeUnderAnyBackend()
    {
        QFETCH(QByteArray, machine);
        QFETCH(QByteArray, made);
        PlanRequest request;
        request.catalogue = offers(machine.toStdString());
        test::choose(request.policies, {{"backend", made.constData()}});
        const Report own = analysed(Network, request);

        for (const std::string& text : {planJsonText(planOf(own)), writeReportJson(own)}) {
            for (const char* backend : {"auto", "reference", "captured", "onednn"}) {
                for (const char* there : {"", machine.constData(), Machine.data()}) {
                    const Report report = analysed(Network, judging(planFrom(text), there, backend));
                    QVERIFY2(errorsOf(report).isEmpty(), qPrintable(QString(backend) + u'\n' + errorsOf(report)));
                    QCOMPARE(report.memory.peakBytes, own.memory.peakBytes);
                    QCOMPARE(report.program.implementations, own.program.implementations);
                }
            }
        }
    }

    void aDamagedPlanIsBrokenUnderAnyBackend()
    {
        PlanRequest request;
        request.catalogue = offers(Machine);
        PlanFile plan = planOf(analysed(Network, request));
        const auto scratch = std::ranges::find(plan.entries, std::string("scratch:conv"), &PlanFile::Entry::value);
        const auto written = std::ranges::find(plan.entries, std::string("a"), &PlanFile::Entry::value);
        scratch->offset = written->offset;
        for (const char* backend : {"auto", "reference", "captured"})
            QVERIFY(!errorsOf(analysed(Network, judging(plan, "", backend))).isEmpty());
    }

    void aPlanSpeaksOfTheGraphAndOfTheRestApart()
    {
        PlanRequest request;
        request.catalogue = offers(Machine);
        const PlanFile plan = planOf(analysed(Network, request));

        QCOMPARE(*plan.steps, (std::vector<std::string> {"conv", "relu", "half", "out"}));
        QStringList values;
        QStringList inserted;
        for (const PlanFile::Entry& entry : plan.entries) {
            const QString name = QString::fromStdString(entry.value);
            if (entry.afterStep)
                inserted << QStringLiteral("%1 %2").arg(name).arg(*entry.afterStep);
            else
                values << name;
        }
        QCOMPARE(values.join(u' '), QStringLiteral("a b c y"));
        QCOMPARE(inserted.join(u','), QStringLiteral("x:nChw8c -1,c:plain 2,scratch:conv 0,scratch:half 2"));
        QCOMPARE(plan.implementations->at("conv"), std::string("blocked:jit"));
        QVERIFY(!plan.implementations->contains("out"));
        QCOMPARE(plan.graphDigest, planOf(analysed(Network, {})).graphDigest);
    }

    void whatIsNamedAndKnownNowhereIsNoted()
    {
        const QByteArray named =
            changed("\"steps\"", R"("implementations": {"conv": "onednn:brgemm", "out": "reference"}, "steps")");
        const Report report = analysed(Network, judging(planFrom(named.toStdString()), Machine.data(), "auto"));

        QCOMPARE(errorsOf(report), QString());
        const QString notes = notesOf(report);
        QVERIFY2(notes.contains(QStringLiteral("those of 'conv'. These nodes are judged with plain layouts")),
                 qPrintable(notes));
        QVERIFY2(notes.contains(QStringLiteral("backend=auto has no effect: the plan says")), qPrintable(notes));
    }

    void whatIsNamedIsTakenFromTheMachineWhereThePlanDoesNotDescribeIt()
    {
        const QByteArray named = changed("\"steps\"", R"("implementations": {"half": "fast:jit"}, "steps")");
        const Report report = analysed(Network, judging(planFrom(named.toStdString()), Fusing.data()));

        QVERIFY2(errorsOf(report).contains(QStringLiteral("Node 'half' needs a scratchpad of 640 bytes")),
                 qPrintable(errorsOf(report)));
    }

    void whatAPlannerInsertedIsJudged_data()
    {
        QTest::addColumn<int>("offset");
        QTest::addColumn<int>("afterStep");
        QTest::addColumn<QString>("error");
        const QString clobbered = QStringLiteral("'a'");
        QTest::newRow("behind all") << 275328 << 0 << QString();
        QTest::newRow("over what is read next") << 0 << 0 << clobbered;
        QTest::newRow("over what was read") << 0 << 1 << QString();
        QTest::newRow("before the first") << 0 << -1 << QString();
        QTest::newRow("over the output") << 137664 << 3 << QStringLiteral("'y'");
        QTest::newRow("beyond the arena") << 275392 << 0 << QStringLiteral("outside the 275,392 bytes");
    }

    void whatAPlannerInsertedIsJudged()
    {
        QFETCH(int, offset);
        QFETCH(int, afterStep);
        QFETCH(QString, error);
        QByteArray text = changed("\"steps\"", R"("inserted": [{"value": "mine", "offset": OFFSET, "bytes": 64,
                                                                "afterStep": STEP}], "steps")");
        text.replace("OFFSET", QByteArray::number(offset)).replace("STEP", QByteArray::number(afterStep));
        text.replace("\"bytes\": 275328", "\"bytes\": 275392");

        const Report report = analysed(Network, judging(planFrom(text.toStdString())));

        QCOMPARE(errorsOf(report).isEmpty(), error.isEmpty());
        QVERIFY2(errorsOf(report).contains(error), qPrintable(errorsOf(report)));
        QVERIFY(std::ranges::none_of(report.verdict.findings,
                                     [](const Finding& one) { return one.rule == Rule::DeadOutput; }));
    }

    void aScratchpadThatThePlanStatesIsJudged_data()
    {
        QTest::addColumn<int>("offset");
        QTest::addColumn<bool>("legal");
        QTest::newRow("behind all") << 275328 << true;
        QTest::newRow("over what the node reads") << 137664 << false;
    }

    void aScratchpadThatThePlanStatesIsJudged()
    {
        QFETCH(int, offset);
        QFETCH(bool, legal);
        QByteArray text = changed("\"allocations\": [", R"("allocations": [{"value": "scratch:half", "offset": OFFSET,
                                                                           "bytes": 64},)");
        text.replace("OFFSET", QByteArray::number(offset)).replace("\"bytes\": 275328", "\"bytes\": 275392");

        const Report report = analysed(Network, judging(planFrom(text.toStdString())));

        QCOMPARE(errorsOf(report).isEmpty(), legal);
    }

    void aStepThatIsNotThereIsRefused()
    {
        const QByteArray text = changed(
            "\"steps\"", R"("inserted": [{"value": "mine", "offset": 0, "bytes": 64, "afterStep": 4}], "steps")");
        const auto report = analyse(test::graphFromText(Network), judging(planFrom(text.toStdString())), {});

        QVERIFY(!report.ok());
        QCOMPARE(english(report.error().message),
                 std::string("'mine' is inserted after step 4, and the plan has 4 steps."));
        QCOMPARE(report.error().code, ErrorCode::BadInput);
    }

    void whatWeWouldComputeAheadIsJudgedWhereThePlanHasAPlaceForIt_data()
    {
        QTest::addColumn<int>("offset");
        QTest::addColumn<bool>("legal");
        QTest::newRow("over what is dead") << 0 << true;
        QTest::newRow("over what is read later") << 64 << false;
    }

    /// Shape arithmetic is folded in plans of our own; another planner computes it, in bytes that others use before.
    void whatWeWouldComputeAheadIsJudgedWhereThePlanHasAPlaceForIt()
    {
        QFETCH(int, offset);
        QFETCH(bool, legal);
        constexpr std::string_view Shaped = "input x float32[2,8]\nn0: a = Neg(x)\nn1: b = Exp(a)\ns: d = Shape(b)\n"
                                            "r: y = Reshape(b, d)\noutput y\n";
        PlanFile plan;
        plan.arenas = {{"cpu", 192, 64, {}}};
        plan.entries = {{"a", ArenaId(0), 0, 64},
                        {"b", ArenaId(0), 64, 64},
                        {"d", ArenaId(0), offset, 16},
                        {"y", ArenaId(0), 128, 64}};

        const Report report = analysed(Shaped, judging(plan));

        QCOMPARE(errorsOf(report).isEmpty(), legal);
    }

    void theSizesOfThePlanBindWhatIsNotGiven_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("allocations"); ///< "value bytes"
        QTest::addColumn<QString>("bindings");
        QTest::addColumn<QString>("note");
        const QByteArray one = "input x float32[n,16]\nn0: a = Neg(x)\nn1: y = Exp(a)\noutput y\n";
        QTest::newRow("as assumed") << one << QByteArray("a 64,y 64") << QStringLiteral("n=1?") << QString();
        QTest::newRow("four") << one << QByteArray("a 256,y 256") << QStringLiteral("n=4")
                              << QStringLiteral("The sizes of the plan say n = 4, and were taken.");
        QTest::newRow("rounded to the alignment")
            << QByteArray("input x float32[n,3]\nn0: a = Neg(x)\nn1: y = Exp(a)\noutput y\n")
            << QByteArray("a 128,y 128") << QStringLiteral("n=10") << QStringLiteral("n = 10, and were taken");
        QTest::newRow("not all") << one << QByteArray("a 252,y 256") << QStringLiteral("n=1?")
                                 << QStringLiteral("The sizes of the plan fit n = ");
        QTest::newRow("an expression") << QByteArray(
                                              "input x float32[2*n+1,4]\nn0: a = Neg(x)\nn1: y = Exp(a)\noutput y\n")
                                       << QByteArray("a 112,y 112") << QStringLiteral("n=3") << QStringLiteral("n = 3");
        QTest::newRow("a square") << QByteArray("input x float32[n,8]\nt: xt = Transpose(x) perm=[1,0]\n"
                                                "m: s = MatMul(x, xt)\nn1: y = Exp(s)\noutput y\n")
                                  << QByteArray("xt 224,s 196,y 196") << QStringLiteral("n=7")
                                  << QStringLiteral("n = 7");
        QTest::newRow("two, each alone") << QByteArray("input x float32[n,16]\ninput z float32[m,8]\nn0: y = Exp(x)\n"
                                                       "n1: u = Exp(z)\noutput y\noutput u\n")
                                         << QByteArray("y 320,u 96") << QStringLiteral("n=5 m=3")
                                         << QStringLiteral("m = 3, n = 5");
        QTest::newRow("two together") << QByteArray("input x float32[n,m,4]\nt: xt = Transpose(x) perm=[0,2,1]\n"
                                                    "mm: s = MatMul(x, xt)\nn1: y = Exp(s)\noutput y\n")
                                      << QByteArray("xt 240,s 300,y 300") << QStringLiteral("n=3 m=5")
                                      << QStringLiteral("m = 5, n = 3");
    }

    void theSizesOfThePlanBindWhatIsNotGiven()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, allocations);
        QFETCH(QString, bindings);
        QFETCH(QString, note);
        PlanFile plan;
        plan.arenas = {{"cpu", 1 << 20, 32, {}}};
        for (const QByteArray& one : allocations.split(',')) {
            const QList<QByteArray> words = one.split(' ');
            const auto offset = static_cast<std::int64_t>(plan.entries.size()) * 4096;
            plan.entries.push_back({words[0].toStdString(), ArenaId(0), offset, words[1].toLongLong()});
        }

        const Report report = analysed(graph.toStdString(), judging(plan));

        QStringList bound;
        for (const Binding& binding : report.captured.bindings) {
            bound << QString::fromStdString(binding.dim) + u'=' + QString::number(binding.size) +
                         (binding.assumed ? QStringLiteral("?") : QString());
            QCOMPARE(binding.fromPlan, !binding.assumed);
        }
        QCOMPARE(bound.join(u' '), bindings);
        QVERIFY2(notesOf(report).contains(note), qPrintable(notesOf(report)));
        QCOMPARE(notesOf(report).isEmpty(), note.isEmpty());
    }

    void sizesThatAreGivenHold()
    {
        PlanFile plan;
        plan.arenas = {{"cpu", 4096, 64, {}}};
        plan.entries = {{"y", ArenaId(0), 0, 256}};
        PlanRequest request = judging(plan);
        request.shapes.dims = {{"n", 8}};

        const Report report = analysed("input x float32[n,16]\nn0: y = Exp(x)\noutput y\n", request);

        QCOMPARE(report.captured.bindings.at(0), (Binding {"n", 8, false, false}));
        QVERIFY(errorsOf(report).contains(QStringLiteral("needs 512")));
    }
};

QTEST_APPLESS_MAIN(PlanTermsTest)
#include "tst_plan_terms.moc"
