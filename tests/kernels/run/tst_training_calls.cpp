#include "core/facts/english/english.h"
#include "core/facts/words/request_kind.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace plimsoll;

namespace {

Result<Report> analysed(const std::string& graph, const std::string& calls,
                        const std::map<std::string, GradientRequest>& requests = {})
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.policies.backend = BackendPolicy::Reference;
    request.constraints.gradients = requests;
    const Status accepted = setPolicy(request.policies, "calls", calls);
    if (!accepted.ok()) return accepted.error();
    return analyse(test::graphFromText(graph), request, {});
}

Report planned(const std::string& graph, const std::string& calls = "once",
               const std::map<std::string, GradientRequest>& requests = {})
{
    Result<Report> report = analysed(graph, calls, requests);
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

using Results = std::map<std::string, std::vector<double>>;

/// Of all outputs, by name.
Results run(const Report& report, const test::Numbers& inputs)
{
    const Result<kernels::RunOutcome> outcome = test::executed(report, inputs);
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    if (!outcome.value().result.mismatches.empty())
        qFatal("%s: %s", outcome.value().result.mismatches[0].value.c_str(),
               english(outcome.value().result.mismatches[0].note).c_str());
    Results results;
    const auto& outputs = report.program.graph->top().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        results[(*report.program.graph)[outputs[i]].name] = test::numbersOf(outcome.value().outputs[i]);
    return results;
}

QString outputs(const Report& report)
{
    QStringList names;
    for (const ValueId output : report.program.graph->top().outputs)
        names << QString::fromStdString((*report.program.graph)[output].name);
    return names.join(u' ');
}

/// Keeps q alone: x and w are the caller's.
const std::string Network = "input x float32[4]\nparam w float32[4]\na: p = Mul(x, w)\nb: q = Tanh(p)\n"
                            "c: z = ReduceSum(q) keepdims=0\noutput z\ngrad w\nloss z\n";
const std::vector<float> W = {0.5F, -1, 0.25F, 2};
const std::vector<float> X1 = {1, 2, 3, 4};
const std::vector<float> X2 = {-1, 0, 1, 0.5F};
const std::vector<float> X3 = {0.1F, 0.2F, -0.3F, 0.4F};

/// A loop of so many trips over the rows of x, with a state that begins as s; w is read from outside.
std::string scan(int trips, const std::string& body, const std::string& results)
{
    const std::string n = std::to_string(trips);
    return "input x float32[" + n + ",4]\ninput s float32[4]\nparam w float32[4]\n" + body + results;
}

const std::string Recurrent = "n: r, ys = Scan(s, x) num_scan_inputs=1\nbody body\n  input h float32[4]\n"
                              "  input row float32[4]\n  t: m = Mul(h, w)\n  u: a = Add(m, row)\n  v: k = Tanh(a)\n"
                              "  output k k\nend\n";
const std::string Results2 = "q: both = ReduceSum(ys) keepdims=0\nl: last = ReduceSum(r) keepdims=0\n"
                             "e: z = Add(both, last)\noutput z\ngrad x s w\nloss z\n";

/// The same without a loop.
std::string unrolled(int trips)
{
    std::string text = "input x float32[" + std::to_string(trips) + ",4]\ninput s float32[4]\nparam w float32[4]\n";
    std::string state = "s";
    std::string sum;
    for (int i = 0; i < trips; ++i) {
        const std::string n = std::to_string(i);
        text += "const i" + n + " int64[] = " + n + "\nrow" + n + " = Gather(x, i" + n + ") axis=0\nm" + n + " = Mul(" +
                state + ", w)\na" + n + " = Add(m" + n + ", row" + n + ")\nk" + n + " = Tanh(a" + n + ")\nz" + n +
                " = ReduceSum(k" + n + ") keepdims=0\n";
        state = "k" + n;
        if (i > 0) text += "sum" + n + " = Add(" + sum + ", z" + n + ")\n";
        sum = i > 0 ? "sum" + n : "z" + n;
    }
    return text + "last = ReduceSum(" + state + ") keepdims=0\nz = Add(" + sum +
           ", last)\noutput z\ngrad x s w\nloss z\n";
}

bool nearlyEqual(const Results& a, const Results& b)
{
    for (const auto& [name, numbers] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second.size() != numbers.size()) return false;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (std::fabs(numbers[i] - other->second[i]) > 1e-5 * (1 + std::fabs(numbers[i]))) return false;
    }
    return a.size() == b.size();
}

test::Numbers rows(int trips)
{
    test::Numbers inputs = {{"s", {0.3F, -0.2F, 0.1F, 0.7F}}, {"w", W}};
    for (int i = 0; i < 4 * trips; ++i)
        inputs["x"].push_back(0.1F * static_cast<float>(i % 7) - 0.25F);
    return inputs;
}

} // namespace

/// One bound graph called several times, and loops through which gradients pass.
class TrainingCalls : public QObject
{
    Q_OBJECT

private slots:
    void everyCallIsRight_data();
    void everyCallIsRight();
    void forwardsThatWaitKeepTheirOwn_data();
    void forwardsThatWaitKeepTheirOwn();
    void everyCallAsksForWhatItNeeds();
    void gradientsOfSeveralCallsAddUp();
    void whatACallWritesTheNextOneFinds();
    void impossibleCallsAreRefused_data();
    void impossibleCallsAreRefused();
    void aLoopHasTheGradientsOfItsTrips_data();
    void aLoopHasTheGradientsOfItsTrips();
    void everyTripHasAStateOfItsOwn();
    void whatABodyHandsBackIsCopied_data();
    void whatABodyHandsBackIsCopied();
    void loopsOfUnknownLengthAreRefused_data();
    void loopsOfUnknownLengthAreRefused();
};

void TrainingCalls::everyCallIsRight_data()
{
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<QString>("outputs");
    QTest::newRow("B36") << QByteArray("train,infer,train") << "z z@2 z@3 grad:w grad:w@3";
    QTest::newRow("infer first") << QByteArray("infer,train,train") << "z@1 z z@3 grad:w grad:w@3";
    QTest::newRow("backwards at the end")
        << QByteArray("forward,forward,forward,backward,backward,backward") << "z z@2 z@3 grad:w@3 grad:w@2 grad:w";
    QTest::newRow("inference alone") << QByteArray("infer,infer,infer") << "z z@2 z@3";
}

void TrainingCalls::everyCallIsRight()
{
    QFETCH(QByteArray, calls);
    const Report once = planned(Network);
    const Report report = planned(Network, calls.toStdString());
    QTEST(outputs(report), "outputs");
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));

    const bool inferFirst = calls.startsWith("infer,train");
    const std::string first = inferFirst ? "x@1" : "x";
    const std::string second = inferFirst ? "x" : "x@2";
    const Results results = run(report, {{first, X1}, {second, X2}, {"x@3", X3}, {"w", W}});

    const auto matches = [&](const std::vector<float>& x, const std::string& suffix) {
        const Results alone = run(once, {{"x", x}, {"w", W}});
        const auto gradient = results.find("grad:w" + suffix);
        return results.at("z" + suffix) == alone.at("z") &&
               (gradient == results.end() || gradient->second == alone.at("grad:w"));
    };
    QVERIFY(matches(X1, first.substr(1)));
    QVERIFY(matches(X2, second.substr(1)));
    QVERIFY(matches(X3, "@3"));
}

void TrainingCalls::forwardsThatWaitKeepTheirOwn_data()
{
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<qint64>("boundary");
    QTest::newRow("once") << QByteArray("once") << qint64(16);
    QTest::newRow("train, infer, train") << QByteArray("train,infer,train") << qint64(16);
    QTest::newRow("two wait") << QByteArray("forward,forward,backward,backward") << qint64(32);
    QTest::newRow("three wait") << QByteArray("forward,forward,infer,forward,backward,backward,backward") << qint64(48);
    QTest::newRow("none") << QByteArray("infer,infer") << qint64(0);
}

void TrainingCalls::forwardsThatWaitKeepTheirOwn()
{
    QFETCH(QByteArray, calls);

    const Report report = planned(Network, calls.toStdString());

    QTEST(qint64(report.training.boundaryBytes), "boundary");
    // Those that wait at once lie apart.
    std::set<std::int64_t> places;
    std::set<ValueId> values;
    for (const SavedReport& saved : report.training.saved) {
        if (saved.bytes == 0) continue;
        values.insert(saved.tensor.value);
        places.insert(report.program.map.values[saved.tensor.value.index()].offset);
    }
    QVERIFY(static_cast<std::int64_t>(places.size()) * 16 >= report.training.boundaryBytes);
    const bool waits = calls.contains("forward,forward");
    const bool noted = std::ranges::any_of(english(report.notes), [](const std::string& note) {
        return note.find("wait for their backward at once") != std::string::npos;
    });
    QCOMPARE(noted, waits);
}

/// B36: the mask of a Dropout is for the backward graph; inference alone does not want it.
void TrainingCalls::everyCallAsksForWhatItNeeds()
{
    const Report report = planned("input x float32[4]\nparam w float32[4]\nconst half float32[] = 0.5\n"
                                  "const on bool[] = 1\na: p = Mul(x, w)\nd: q = Dropout(p, half, on)\n"
                                  "c: z = ReduceSum(q) keepdims=0\noutput z\ngrad w\nloss z\n",
                                  "train,infer,train");

    QStringList kinds;
    const std::vector<RequestKind> all = requestKinds(report);
    for (const char* mask : {"d:mask", "d:mask@2", "d:mask@3"}) {
        const ValueId value = findValue(*report.program.graph, mask);
        QVERIFY2(value.valid(), mask);
        kinds << QString::fromUtf8(requestName(all[value.index()]).data());
    }
    QCOMPARE(kinds.join(u' '), QStringLiteral("write null write"));
}

void TrainingCalls::gradientsOfSeveralCallsAddUp()
{
    const Report once = planned(Network);
    const Report report = planned(Network, "train,forward,forward,backward,backward", {{"w", GradientRequest::Add}});
    QCOMPARE(countFindings(report, Severity::Error), std::size_t(0));

    const Results results =
        run(report, {{"x", X1}, {"x@2", X2}, {"x@3", X3}, {"w", W}, {"grad:w:before", {10, 20, 30, 40}}});

    std::vector<double> expected = {10, 20, 30, 40};
    for (const std::vector<float>& x : {X1, X3, X2}) {
        const std::vector<double> gradient = run(once, {{"x", x}, {"w", W}}).at("grad:w");
        for (std::size_t i = 0; i < 4; ++i)
            expected[i] += gradient[i];
    }
    QCOMPARE(outputs(report), QStringLiteral("z z@2 z@3 grad:w@2")); // what the last one has left
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::fabs(results.at("grad:w@2")[i] - expected[i]) < 1e-4);
}

/// A counter that every call advances.
void TrainingCalls::whatACallWritesTheNextOneFinds()
{
    const Report report = planned("input x float32[4]\nparam count float32[4]\nc: now = plimsoll::Add_(count, x)\n"
                                  "y: y = Neg(now)\noutput y\n",
                                  "infer,infer,infer");

    const Results results =
        run(report, {{"x", {1, 1, 1, 1}}, {"x@2", {2, 2, 2, 2}}, {"x@3", {3, 3, 3, 3}}, {"count", {10, 0, 0, 0}}});

    QCOMPARE(results.at("y"), (std::vector<double> {-11, -1, -1, -1}));
    QCOMPARE(results.at("y@2"), (std::vector<double> {-13, -3, -3, -3}));
    QCOMPARE(results.at("y@3"), (std::vector<double> {-16, -6, -6, -6}));
}

void TrainingCalls::impossibleCallsAreRefused_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<QString>("message");
    const QByteArray network = QByteArray::fromStdString(Network);
    QTest::newRow("a word")
        << network << QByteArray("train,nap")
        << "Policy calls: 'nap' is none of train, infer, forward, backward; or all of it is 'once'.";
    QTest::newRow("nothing") << network << QByteArray("")
                             << "Policy calls: '' is none of train, infer, forward, backward; or all of it is 'once'.";
    QTest::newRow("back first") << network << QByteArray("backward,forward")
                                << "Policy calls: a backward has no forward before it.";
    QTest::newRow("never back") << network << QByteArray("train,forward")
                                << "Policy calls: a forward has no backward after it; call it infer.";
    QTest::newRow("no loss") << QByteArray("input x float32[4]\ny = Neg(x)\noutput y\n") << QByteArray("train")
                             << "Policy calls: the graph has no loss; it can only infer.";
}

void TrainingCalls::impossibleCallsAreRefused()
{
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, calls);
    const Result<Report> report = analysed(graph.toStdString(), calls.toStdString());
    QVERIFY(!report.ok());
    QTEST(QString::fromStdString(english(report.error().message)), "message");
    QCOMPARE(report.error().code, ErrorCode::BadUsage);
}

void TrainingCalls::aLoopHasTheGradientsOfItsTrips_data()
{
    QTest::addColumn<int>("trips");
    for (const int trips : {1, 2, 3, 4, 9})
        QTest::addRow("%d", trips) << trips;
}

void TrainingCalls::aLoopHasTheGradientsOfItsTrips()
{
    QFETCH(int, trips);
    const Report loop = planned(scan(trips, Recurrent, Results2));
    const Report flat = planned(unrolled(trips));
    QCOMPARE(countFindings(loop, Severity::Error), std::size_t(0));

    const Results results = run(loop, rows(trips));

    QVERIFY(nearlyEqual(results, run(flat, rows(trips))));
    QCOMPARE(results.at("grad:x").size(), std::size_t(4 * trips));
    QVERIFY(std::any_of(results.at("grad:s").begin(), results.at("grad:s").end(),
                        [](double number) { return number != 0; }));
}

void TrainingCalls::everyTripHasAStateOfItsOwn()
{
    const Report report = planned(scan(5, Recurrent, Results2));

    std::set<std::int64_t> places;
    std::size_t states = 0;
    for (const SavedReport& saved : report.training.saved) {
        const std::string& name = (*report.program.graph)[saved.tensor.value].name;
        if (saved.tensor.name != "result" || saved.bytes == 0) continue;
        ++states;
        places.insert(report.program.map.values[saved.tensor.value.index()].offset);
        QVERIFY2(name == "r" || name.starts_with("n/body/k@"), name.c_str());
    }
    QCOMPARE(states, std::size_t(5));
    QCOMPARE(places.size(), std::size_t(5));
}

void TrainingCalls::whatABodyHandsBackIsCopied_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("flat");
    QTest::addColumn<int>("copies");
    const QByteArray inputs = "body body\n  input i int64[]\n  input c bool[]\n  input h float32[4]\n";
    QTest::newRow("unchanged") << "n: r = Loop(two, _, s)\n" + inputs + "  output c h\nend\nk: y = Mul(r, w)\n"
                               << QByteArray("k: y = Mul(s, w)\n") << 2;
    QTest::newRow("twice") << "n: r, q = Loop(two, _, s, s)\n" + inputs +
                                  "  input g float32[4]\n  m: u = Mul(h, g)\n  output c u u\nend\nk: y = Mul(r, q)\n"
                           << QByteArray("a: u1 = Mul(s, s)\nb: u2 = Mul(u1, u1)\nk: y = Mul(u2, u2)\n") << 2;
    QTest::newRow("swapped") << "n: r, q = Loop(two, _, s, w)\n" + inputs +
                                    "  input g float32[4]\n  m: u = Mul(h, g)\n  output c g u\nend\nk: y = Mul(r, q)\n"
                             << QByteArray("a: u1 = Mul(s, w)\nb: u2 = Mul(w, u1)\nk: y = Mul(u1, u2)\n") << 2;
    QTest::newRow("from outside") << "n: r = Loop(two, _, s)\n" + inputs + "  output c w\nend\nk: y = Mul(r, s)\n"
                                  << QByteArray("k: y = Mul(w, s)\n") << 2;
    QTest::newRow("handed through two loops")
        << "m0: o, unused = Loop(two, _, w, s)\n" + inputs +
               "  input g float32[4]\n  m: u = Mul(h, h)\n  output c u g\nend\nconst f float32[4] = 1 2 3 4\n"
               "n: r = Loop(two, _, f)\n" +
               inputs + "  output c o\nend\nk: y = Mul(r, s)\n"
        << QByteArray("a: b1 = Mul(w, w)\na2: b2 = Mul(b1, b1)\nk: y = Mul(b2, s)\n") << 4;
    QTest::newRow("a loop in a loop") << "n: r = Loop(two, _, s)\n" + inputs +
                                             "  n: d = Loop(two, _, h)\n  body body\n    input i int64[]\n"
                                             "    input c bool[]\n    input e float32[4]\n    m: f = Mul(e, w)\n"
                                             "    output c f\n  end\n  output c d\nend\nk: y = Mul(r, w)\n"
                                      << QByteArray("a: b1 = Mul(s, w)\na2: b2 = Mul(b1, w)\na3: b3 = Mul(b2, w)\n"
                                                    "a4: b4 = Mul(b3, w)\nk: y = Mul(b4, w)\n")
                                      << 0;
    QTest::newRow("no trip") << "n: r = Loop(none, _, s)\n" + inputs +
                                    "  m: u = Mul(h, w)\n  output c u\nend\nk: y = Mul(r, w)\n"
                             << QByteArray("k: y = Mul(s, w)\n") << 1;
}

void TrainingCalls::whatABodyHandsBackIsCopied()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, flat);
    QFETCH(int, copies);
    const std::string begin = "input s float32[4]\nparam w float32[4]\nconst two int64[] = 2\nconst none int64[] = 0\n";
    const std::string end = "l: z = ReduceSum(y) keepdims=0\noutput z\ngrad s w\nloss z\n";
    const Report loop = planned(begin + body.toStdString() + end);
    const Report straight = planned(begin + flat.toStdString() + end);
    const test::Numbers inputs = {{"s", {0.3F, -0.2F, 0.1F, 0.7F}}, {"w", W}};

    QVERIFY(nearlyEqual(run(loop, inputs), run(straight, inputs)));
    QCOMPARE(countFindings(loop, Severity::Error), std::size_t(0));
    std::ptrdiff_t found = 0;
    for (const NodeId id : loop.program.graph->top().nodes) {
        const Node& node = (*loop.program.graph)[id];
        if (node.op != "Identity" || !node.domain.empty()) continue;
        ++found;
        QCOMPARE(loop.program.values[node.outputs[0].index()].sharedAs, AliasKind::Fresh);
    }
    QCOMPARE(found, std::ptrdiff_t(copies));
}

void TrainingCalls::loopsOfUnknownLengthAreRefused_data()
{
    QTest::addColumn<QByteArray>("loop");
    QTest::addColumn<QString>("message");
    const QByteArray inputs =
        "body body\n  input i int64[]\n  input c bool[]\n  input h float32[4]\n  m: u = Mul(h, w)\n";
    const QString unknown =
        QStringLiteral("Gradients pass through it, and its number of iterations is known at run time "
                       "only: its backward graph cannot be written out.");
    QTest::newRow("a number that is given")
        << "input trips int64[]\nn: r = Loop(trips, _, s)\n" + inputs + "  output c u\nend\n"
        << unknown;
    QTest::newRow("a condition") << "const trips int64[] = 3\ninput go bool[]\nn: r = Loop(trips, _, s)\n" + inputs +
                                        "  output go u\nend\n"
                                 << unknown;
    QTest::newRow("a condition that somebody else's operator makes")
        << "const trips int64[] = 3\nn: r = Loop(trips, _, s)\n" + inputs +
               "  k: d = com.acme::Identity(c)\n  output d u\nend\n"
        << unknown;
    QTest::newRow("so many that their nodes have no number")
        << "const trips int64[] = 4611686018427387904\nn: r = Loop(trips, _, s)\n" + inputs + "  output c u\nend\n"
        << QStringLiteral("Gradients pass through it, and its 4611686018427387904 iterations written out would have "
                          "more than a million nodes.");
    QTest::newRow("too many") << "const trips int64[] = 9000000\nn: r = Loop(trips, _, s)\n" + inputs +
                                     "  output c u\nend\n"
                              << QStringLiteral(
                                     "Gradients pass through it, and its 9000000 iterations written out would have "
                                     "more than a million nodes.");
}

void TrainingCalls::loopsOfUnknownLengthAreRefused()
{
    QFETCH(QByteArray, loop);
    const Result<Report> report = analysed("input s float32[4]\nparam w float32[4]\n" + loop.toStdString() +
                                               "l: z = ReduceSum(r) keepdims=0\noutput z\ngrad s w\nloss z\n",
                                           "once");
    QVERIFY(!report.ok());
    QTEST(QString::fromStdString(english(report.error().message)), "message");
    QCOMPARE(QString::fromStdString(report.error().where), QStringLiteral("node 'n' (Loop)"));
}

QTEST_APPLESS_MAIN(TrainingCalls)
#include "tst_training_calls.moc"
