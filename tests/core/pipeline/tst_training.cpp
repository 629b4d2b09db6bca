#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"
#include "tests/support/saved_names.h"

#include <QTest>

using namespace plimsoll;
using test::keptInSlots;
using test::nameOf;

namespace {

/// Under the reference accounting: nothing in place, exact bytes.
Report planned(const std::string& text, std::string_view saved, std::string_view alignment = "1",
               std::optional<PlanFile> given = {})
{
    PlanRequest request;
    if (given) request.givenPlan = sharedPlan(*std::move(given));
    test::choose(request.policies, {{"inplace", "off"}, {"alignment", alignment}, {"saved", saved}});
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

QString numbers(const Report& report)
{
    return QString::number(report.training.boundaryBytes) + u' ' + QString::number(report.memory.peakBytes);
}

QString rulesOf(const Report& report, Severity severity)
{
    QStringList ids;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == severity && finding.rule != Rule::MissedSharing)
            ids += QString::fromUtf8(ruleId(finding.rule).data());
    }
    return ids.join(u' ');
}

Interval rangeOf(const Report& report, std::string_view value)
{
    return report.program.values[findValue(*report.program.graph, value).index()].live.hull();
}

/// a = x + 2, p = a · m, z = Σ p: x of 2,400 bytes, m of 12.
const std::string SeedOne = "input x float32[200,3]\nparam m float32[3]\nconst two float32[] = 2\n"
                            "n0: a = Add(x, two)\nn1: p = Mul(a, m)\nn2: z = ReduceSum(p) keepdims=0\n"
                            "output z\nloss z\n";

/// So many times · + 2 and · m, of 1,000 bytes each, then the sum.
std::string chainOf(int length)
{
    std::string text = "input x float32[250]\nconst two float32[] = 2\n";
    std::string last = "x";
    for (int i = 1; i <= length; ++i) {
        const std::string n = std::to_string(i);
        text += "param m" + n + " float32[1]\na" + n + " = Add(" + last + ", two)\np" + n + " = Mul(a" + n + ", m" + n +
                ")\n";
        last = "p" + n;
    }
    return text + "z = ReduceSum(" + last + ") keepdims=0\noutput z\ngrad x\nloss z\n";
}

/// h (1,000 bytes) times w (400) is y (500).
const std::string Product = "input x float32[25,10]\nparam w float32[10,5]\nconst two float32[] = 2\n"
                            "n0: h = Add(x, two)\nn1: y = MatMul(h, w)\n"
                            "n2: z = ReduceSum(y) keepdims=0\noutput z\nloss z\n";

/// mm, an activation of 1,000 bytes, mm, sum.
std::string network(const std::string& activation)
{
    return "input x float32[25,10]\nparam w1 float32[10,10]\nparam w2 float32[10,10]\n"
           "n0: h = MatMul(x, w1)\nn1: r = " +
           activation + "(h)\nn2: y = MatMul(r, w2)\nn3: z = ReduceSum(y) keepdims=0\n" +
           "output z\ngrad w1 w2\nloss z\n";
}

const std::string Frozen = "param c0 float32[4]\nparam c1 float32[4]\nparam c2 float32[4]\n";
/// torch.tensor([float(i)]) is a tensor, not a number.
const std::string OneElement = "const c0 float32[1] = 0\nconst c1 float32[1] = 1\nconst c2 float32[1] = 2\n";

/// Three rounds of copying into one buffer and multiplying it: the second seed, where c is frozen.
const std::string Accumulation = "input x float32[4]\ninput mu float32[4]\n"
                                 "const one float32[] = 1\nconst two float32[] = 2\n"
                                 "b: x0 = Neg(x)\n"
                                 "k0: x1 = plimsoll::Copy_(x0, mu)\nm0: p0 = Mul(x1, c0)\n"
                                 "i1: mu1 = Add(mu, one)\nk1: x2 = plimsoll::Copy_(x1, mu1)\nm1: p1 = Mul(x2, c1)\n"
                                 "i2: mu2 = Add(mu, two)\nk2: x3 = plimsoll::Copy_(x2, mu2)\nm2: p2 = Mul(x3, c2)\n"
                                 "s: t = Sum(p0, p1, p2)\nr: z = ReduceSum(t) keepdims=0\noutput z\nloss z\n";

} // namespace

/// Graphs with a loss: what is kept, how high the plan is, what goes wrong.
class Training : public QObject
{
    Q_OBJECT

private slots:
    void bytesOfTheReferenceAccounting_data();
    void bytesOfTheReferenceAccounting();
    void whatIsKept_data();
    void whatIsKept();
    void blocksOfTheAllocator_data();
    void blocksOfTheAllocator();
    void liveRangesEndWhereNobodyReads();
    void backwardNodesAreForwardNodesReversed();
    void writesToWhatIsKeptAreFound_data();
    void writesToWhatIsKeptAreFound();
    void oldVersionsAreClonedInsideTheGuard_data();
    void oldVersionsAreClonedInsideTheGuard();
    void aWriteBesideTheSavedBytesIsAFalseAlarm();
    void writesThroughAliases_data();
    void writesThroughAliases();
    void aResultIsSavedAfterTheWrite();
    void anAliasOnlyLengthensItsBase_data();
    void anAliasOnlyLengthensItsBase();
    void aSavedViewHoldsItsWholeBase();
    void aBufferThatIsReusedTooEarlyIsFound();
    void whatTheGuardLetsGoMayBeReused();
    void graphsThatCannotBeDifferentiated_data();
    void graphsThatCannotBeDifferentiated();
};

void Training::bytesOfTheReferenceAccounting_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<QString>("numbers"); // boundary, peak
    const auto row = [](const char* name, const std::string& graph, const char* saved, const char* numbers) {
        QTest::addRow("%s, %s", name, saved) << graph << QByteArray(saved) << QString::fromUtf8(numbers);
    };
    row("seed", SeedOne + "grad x\n", "guarded", "0 4800");
    row("seed", SeedOne + "grad x\n", "exact", "0 4800");
    row("seed", SeedOne + "grad x\n", "save-all", "2400 4804");
    for (const int length : {1, 2, 4, 8}) {
        const QByteArray all = QByteArray::number(1000 * length) + ' ' + QByteArray::number(1000 * (length + 1) + 4);
        row(QByteArray("chain of " + QByteArray::number(length)).data(), chainOf(length), "guarded", "0 2000");
        row(QByteArray("chain of " + QByteArray::number(length)).data(), chainOf(length), "save-all", all.data());
    }
    row("first factor wanted", Product + "grad x\n", "guarded-2019", "1000 2004");
    row("first factor wanted", Product + "grad x\n", "guarded", "0 1500");
    row("second factor wanted", Product + "grad w\n", "guarded-2019", "1000 1504");
    row("second factor wanted", Product + "grad w\n", "guarded", "1000 1504");
    row("relu", network("Relu"), "guarded", "1000 3404");
    row("gelu", network("Gelu"), "guarded", "2000 3404");
    QTest::newRow("no loss") << std::string("input x float32[250]\ny = Neg(x)\noutput y\n") << QByteArray("guarded")
                             << "0 1000";
}

void Training::bytesOfTheReferenceAccounting()
{
    QFETCH(std::string, graph);
    QFETCH(QByteArray, saved);

    const Report report = planned(graph, saved.toStdString());

    QTEST(numbers(report), "numbers");
    QCOMPARE(rulesOf(report, Severity::Error), QString());
}

void Training::whatIsKept_data()
{
    QTest::addColumn<std::string>("nodes");
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<int>("boundary");
    const auto row = [](const char* name, const char* nodes, const char* saved, const char* kept, int boundary) {
        QTest::addRow("%s, %s", name, saved)
            << std::string("input x float32[250]\ninput u float32[250]\nparam m float32[250]\nparam v float32[3]\n") +
                   nodes + "\nz = ReduceSum(y) keepdims=0\noutput z\nloss z\n"
            << QByteArray(saved) << QString::fromUtf8(kept) << boundary;
    };
    const char* frozen = "h = Neg(x)\ny = Mul(h, m)\ngrad x";
    row("mul, m frozen", frozen, "guarded", "m", 0);
    row("mul, m frozen", frozen, "save-all", "h m", 1000);
    row("mul, both", "h = Neg(x)\ny = Mul(h, m)\ngrad x m", "guarded", "h m", 1000);
    row("mul, x frozen", "h = Neg(x)\ny = Mul(h, m)\ngrad m", "guarded", "h", 1000);
    row("mul, none", "h = Neg(x)\ny = Mul(h, m)", "guarded", "", 0);
    row("numerator", "n = Neg(x)\nd = Neg(u)\ny = Div(n, d)\ngrad x", "guarded", "d", 1000);
    row("numerator", "n = Neg(x)\nd = Neg(u)\ny = Div(n, d)\ngrad x", "save-all", "d n", 2000);
    row("denominator", "n = Neg(x)\nd = Neg(u)\ny = Div(n, d)\ngrad u", "guarded", "d n", 2000);
    const char* additive = "s = Neg(x)\nb = Neg(u)\nc = Neg(m)\ny = aten::addcdiv(s, b, c)\ngrad x";
    row("addcdiv, additive input", additive, "guarded", "c", 1000);
    row("addcdiv, additive input", additive, "exact", "", 0);
    row("square", "h = Neg(x)\ny = Mul(h, h)\ngrad x", "guarded", "h h", 1000);
    row("a repeated operand counts its own bytes",
        "const c int64[2] = -1 1\nk = Neg(v)\nr = Reshape(x, c)\ny = Mul(r, k)\ngrad x", "guarded", "k", 12);
    row("gelu with x frozen", "h = Gelu(x)\ny = Mul(h, m)\ngrad m", "guarded", "h", 1000);
    row("sums and views",
        "a = Add(x, u)\nconst c int64[2] = 10 25\nb = Reshape(a, c)\nconst e int64[1] = 0\n"
        "d = ReduceMean(b, e)\ny = Concat(d, d) axis=0\ngrad x u",
        "guarded", "", 0);
    row("dropout in training", "h = Neg(x)\nconst r float32[] = 0.5\nconst t bool[] = 1\ny = Dropout(h, r, t)\ngrad x",
        "guarded", "Dropout_1:mask", 250);
    row("a constant tensor of one element", "const t float32[1] = 2\nh = Neg(x)\ny = Mul(h, t)\ngrad x", "save-all",
        "h t", 1000);
    row("a number", "const t float32[] = 2\nh = Neg(x)\ny = Mul(h, t)\ngrad x", "save-all", "", 0);
}

void Training::whatIsKept()
{
    QFETCH(std::string, nodes);
    QFETCH(QByteArray, saved);
    QFETCH(int, boundary);

    const Report report = planned(nodes, saved.toStdString());

    QTEST(keptInSlots(report), "kept");
    QCOMPARE(report.training.boundaryBytes, std::int64_t(boundary));
    QCOMPARE(rulesOf(report, Severity::Error), QString());
}

/// The seed with 512 bytes for every begun 512: beside the caller's x, m and old z of 3,584 bytes, 8,704 and 9,216.
void Training::blocksOfTheAllocator_data()
{
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<int>("peak");
    QTest::newRow("guarded") << QByteArray("guarded") << 8704 - 3584;
    QTest::newRow("save-all") << QByteArray("save-all") << 9216 - 3584;
}

void Training::blocksOfTheAllocator()
{
    QFETCH(QByteArray, saved);

    QTEST(int(planned(SeedOne + "grad x\n", saved.toStdString(), "512").memory.peakBytes), "peak");
}

void Training::liveRangesEndWhereNobodyReads()
{
    const std::string text = "input x float32[250]\nparam m float32[250]\nparam w float32[250]\n"
                             "n0: h = Neg(x)\nn1: y1 = Mul(h, m)\nn2: y2 = Mul(h, w)\nn3: y = Add(y1, y2)\n"
                             "n4: z = ReduceSum(y) keepdims=0\noutput z\ngrad x w\nloss z\n";

    QVERIFY(rangeOf(planned(text, "guarded"), "h") == (Interval {0, 8}));
    QVERIFY(rangeOf(planned(text, "save-all"), "h") == (Interval {0, 9}));
    QVERIFY(rangeOf(planned(SeedOne + "grad x\n", "guarded"), "a") == (Interval {0, 2}));
    QVERIFY(rangeOf(planned(SeedOne + "grad x\n", "save-all"), "a") == (Interval {0, 5}));
}

void Training::backwardNodesAreForwardNodesReversed()
{
    const Report report = planned(SeedOne + "grad x m\n", "guarded");

    QStringList names;
    for (const NodeId node : report.program.graph->top().nodes)
        names += QString::fromStdString((*report.program.graph)[node].name);
    QCOMPARE(names.join(u' '), QStringLiteral("n0 n1 n2 backward:n2 backward:n1 backward:n0"));
    QCOMPARE(report.program.graph->boundary.gradients, std::size_t(2));
    QCOMPARE(nameOf(report, report.program.graph->top().outputs[1]), QStringLiteral("grad:x"));
    QCOMPARE(nameOf(report, report.program.graph->top().outputs[2]), QStringLiteral("grad:m"));
}

void Training::writesToWhatIsKeptAreFound_data()
{
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<std::string>("wanted");
    QTest::addColumn<QString>("errors");
    QTest::addColumn<int>("needless");
    QTest::newRow("guarded") << QByteArray("guarded") << Frozen + "grad mu\n"
                             << "" << 0;
    QTest::newRow("constants of one element, guarded") << QByteArray("guarded") << OneElement + "grad mu\n"
                                                       << "" << 0;
    QTest::newRow("constants of one element, save-all")
        << QByteArray("save-all") << OneElement + "grad mu\n"
        << "saved-version saved-version saved-overwritten saved-overwritten saved-overwritten" << 2;
    QTest::newRow("save-all") << QByteArray("save-all") << Frozen + "grad mu\n"
                              << "saved-version saved-version saved-overwritten saved-overwritten saved-overwritten"
                              << 2;
    QTest::newRow("genuine") << QByteArray("guarded") << Frozen + "grad mu c0 c1 c2\n"
                             << "saved-version saved-version saved-overwritten saved-overwritten saved-overwritten"
                             << 0;
}

void Training::writesToWhatIsKeptAreFound()
{
    QFETCH(QByteArray, saved);
    QFETCH(std::string, wanted);
    QFETCH(int, needless);
    const auto end = wanted.rfind("grad ");

    const Report report = planned(wanted.substr(0, end) + Accumulation + wanted.substr(end), saved.toStdString());

    QTEST(rulesOf(report, Severity::Error), "errors");
    if (report.verdict.findings.front().rule != Rule::SavedVersion) return;
    const QString first = QString::fromStdString(english(report.verdict.findings[0].message));
    const QString second = QString::fromStdString(english(report.verdict.findings[1].message));
    QVERIFY2(first.startsWith(QStringLiteral("'x2', saved by 'm1', is at version 3 when 'backward:m1' begins; expected "
                                             "version 2. 'k2' wrote in place first. PyTorch stops here.")),
             qPrintable(first));
    QVERIFY2(second.contains(QStringLiteral("version 3 when 'backward:m0' begins; expected version 1")),
             qPrintable(second));
    QCOMPARE(int(first.contains(QStringLiteral("needless"))) + int(second.contains(QStringLiteral("needless"))),
             needless);
}

void Training::oldVersionsAreClonedInsideTheGuard_data()
{
    QTest::addColumn<QByteArray>("saved");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<QString>("numbers");
    QTest::newRow("frozen, guarded") << QByteArray("guarded") << QByteArray("x") << "0 2004";
    QTest::newRow("frozen, save-all") << QByteArray("save-all") << QByteArray("x") << "1000 2004";
    QTest::newRow("trainable") << QByteArray("guarded") << QByteArray("x m") << "1000 3004";
}

void Training::oldVersionsAreClonedInsideTheGuard()
{
    QFETCH(QByteArray, saved);
    QFETCH(QByteArray, wanted);

    const Report report = planned("input x float32[250]\nparam m float32[250]\na = Neg(x)\ny = plimsoll::Mul_(a, m)\n"
                                  "z = ReduceSum(y) keepdims=0\noutput z\nloss z\ngrad " +
                                      wanted.toStdString() + "\n",
                                  saved.toStdString());

    QCOMPARE(rulesOf(report, Severity::Error), QString());
    QTEST(numbers(report), "numbers");
}

/// The counter belongs to the whole family of views, bytes do not.
void Training::aWriteBesideTheSavedBytesIsAFalseAlarm()
{
    const Report report = planned("input x float32[8]\ninput c float32[4]\nparam m float32[4]\nb = Neg(x)\n"
                                  "h: lower = my::Half(b) alias=0:view:0\nvalue lower float32[4]\n"
                                  "s: y = Mul(c, lower)\n"
                                  "d: upper = my::Half(b) alias=0:view:0:16\nvalue upper float32[4]\n"
                                  "e: other = plimsoll::Detach(upper)\nw: written = plimsoll::Zero_(other)\n"
                                  "z = ReduceSum(y) keepdims=0\noutput z written\ngrad c\nloss z\n",
                                  "guarded");

    QCOMPARE(rulesOf(report, Severity::Error), QStringLiteral("saved-version"));
    QVERIFY(
        QString::fromStdString(english(report.verdict.findings[0].message)).contains(QStringLiteral("a false alarm")));
}

void Training::writesThroughAliases_data()
{
    QTest::addColumn<std::string>("nodes");
    QTest::addColumn<QString>("errors");
    const auto row = [](const char* name, const char* nodes, const char* errors) {
        QTest::newRow(name) << std::string("input x float32[8]\ninput c float32[8]\nb: b = Neg(x)\n") + nodes +
                                   "\nz = ReduceSum(y) keepdims=0\noutput z w\ngrad c\nloss z\n"
                            << QString::fromUtf8(errors);
    };
    const char* both = "saved-version saved-overwritten";
    row("to the base, after saving", "y = Mul(c, b)\nw = plimsoll::Zero_(b)", both);
    row("to the base, before saving", "w = plimsoll::Zero_(b)\ny = Mul(c, w)", "");
    row("through a view", "y = Mul(c, b)\nv = my::View(b) alias=0:view:0\nvalue v float32[8]\nw = plimsoll::Zero_(v)",
        both);
    row("to the base of a saved view",
        "v = my::View(b) alias=0:view:0\nvalue v float32[8]\ny = Mul(c, v)\nw = plimsoll::Zero_(b)", both);
    row("through what is detached", "y = Mul(c, b)\nv = plimsoll::Detach(b)\nw = plimsoll::Zero_(v)", both);
    row("where no counter sees it", "y = Mul(c, b)\nv = plimsoll::Data(b)\nw = plimsoll::Zero_(v)",
        "saved-overwritten");
    row("to what nobody saved", "k = Abs(b)\ny = Add(c, k)\nw = plimsoll::Zero_(k)", "");
}

/// A write counts for the whole family, and spoils the bytes that it meets.
void Training::writesThroughAliases()
{
    QFETCH(std::string, nodes);

    QTEST(rulesOf(planned(nodes, "guarded"), Severity::Error), "errors");
}

/// relu writes in place and keeps what it has written: only a later write is too many.
void Training::aResultIsSavedAfterTheWrite()
{
    const std::string text = "input x float32[250]\na = Neg(x)\nr: y = plimsoll::Relu_(a)\n"
                             "s: z = ReduceSum(y) keepdims=0\n";
    const Report once = planned(text + "output z\ngrad x\nloss z\n", "guarded");
    const Report twice = planned(text + "w: v = plimsoll::Zero_(y)\noutput z v\ngrad x\nloss z\n", "guarded");

    QCOMPARE(keptInSlots(once), QStringLiteral("y"));
    QCOMPARE(rulesOf(once, Severity::Error), QString());
    QCOMPARE(rulesOf(twice, Severity::Error), QStringLiteral("saved-version saved-overwritten"));
    const QString message = QString::fromStdString(english(twice.verdict.findings[0].message));
    QVERIFY2(message.contains(QStringLiteral("is at version 2 when 'backward:r' begins; expected version 1")),
             qPrintable(message));
}

/// Whichever is read last, base or view: the bytes of both matter up to then.
void Training::anAliasOnlyLengthensItsBase_data()
{
    QTest::addColumn<QByteArray>("last");
    QTest::newRow("the base") << QByteArray("b");
    QTest::newRow("the view") << QByteArray("v");
}

void Training::anAliasOnlyLengthensItsBase()
{
    QFETCH(QByteArray, last);
    const QByteArray first = last == "b" ? "v" : "b";
    const Report report =
        planned("input x float32[8]\nb = Neg(x)\nv = my::View(b) alias=0:view:0\nvalue v float32[8]\n"
                "y = Exp(" +
                    first.toStdString() + ")\nt = Add(" + last.toStdString() + ", y)\nz = Neg(t)\noutput z\n",
                "guarded");

    const StorageId storage = report.program.values[findValue(*report.program.graph, "b").index()].storage;
    QVERIFY(report.program.storages[storage.index()].live.hull() == (Interval {0, 4}));
    QCOMPARE(rulesOf(report, Severity::Error), QString());
}

void Training::aSavedViewHoldsItsWholeBase()
{
    const Report report = planned("input x float32[512,512]\ninput c float32[512]\nb = Neg(x)\n"
                                  "v = my::Row(b) alias=0:view:0\nvalue v float32[512]\ny = Mul(c, v)\n"
                                  "z = ReduceSum(y) keepdims=0\noutput z\ngrad c\nloss z\n",
                                  "guarded");

    QCOMPARE(report.training.saved.size(), std::size_t(1));
    QCOMPARE(report.training.saved[0].bytes, std::int64_t(2048));
    QCOMPARE(report.training.saved[0].heldBytes, std::int64_t(1) << 20);
    QCOMPARE(report.training.boundaryBytes, std::int64_t(1) << 20);
}

void Training::aBufferThatIsReusedTooEarlyIsFound()
{
    const std::string text = SeedOne + "grad x m\n";
    const Report report = planned(text, "guarded");
    PlanRequest request;
    PlanFile plan = planOf(report);
    for (PlanFile::Entry& entry : plan.entries) {
        const auto& p = *std::find_if(plan.entries.begin(), plan.entries.end(),
                                      [](const PlanFile::Entry& other) { return other.value == "a"; });
        if (entry.value == "z") entry.offset = p.offset;
    }
    request.givenPlan = sharedPlan(std::move(plan));

    const Report judged = analyse(test::graphFromText(text), request, {}).value();

    QVERIFY(rulesOf(judged, Severity::Error).contains(QStringLiteral("saved-overwritten")));
}

/// The plan that reuses a's bytes once p is there: legal where a is not kept, and nowhere else.
void Training::whatTheGuardLetsGoMayBeReused()
{
    const std::string text = SeedOne + "grad x\n";
    PlanFile plan = planOf(planned(text, "guarded"));
    const auto entry = [&](std::string_view value) {
        return std::find_if(plan.entries.begin(), plan.entries.end(),
                            [&](const PlanFile::Entry& one) { return one.value == value; });
    };
    entry("z")->offset = entry("a")->offset;

    QVERIFY(
        !rulesOf(planned(text, "guarded", "1", plan), Severity::Error).contains(QStringLiteral("saved-overwritten")));
    QVERIFY(
        rulesOf(planned(text, "save-all", "1", plan), Severity::Error).contains(QStringLiteral("saved-overwritten")));
}

void Training::graphsThatCannotBeDifferentiated_data()
{
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<QString>("error");
    QTest::newRow("a loss of four") << std::string("input x float32[4]\nn: y = Neg(x)\ngrad x\noutput y\nloss y\n")
                                    << "loss 'y': A loss is one real number of the graph itself, not float32[4].";
    QTest::newRow("an unknown operator")
        << std::string("input x float32[4]\nn: y = my::Op(x)\nvalue y float32[]\ngrad x\noutput y\nloss y\n")
        << "node 'n' (my::Op): The loss depends on it, and there is no derivative for it. A file of derivatives can "
           "add "
           "one.";
    QTest::newRow("an output without a gradient")
        << std::string("input x float32[2,4]\ninput w float32[4]\nn: y, m = LayerNormalization(x, w)\n"
                       "s: z = ReduceSum(m) keepdims=0\ngrad x\noutput z\nloss z\n")
        << "node 'n' (LayerNormalization): The loss depends on its output 'm', for which the derivative has no "
           "gradient.";
}

void Training::graphsThatCannotBeDifferentiated()
{
    QFETCH(std::string, graph);

    const Result<Report> report = analyse(test::graphFromText(graph), {}, {});

    QVERIFY(!report.ok());
    QTEST(QString::fromStdString(describe(report.error())), "error");
}

QTEST_APPLESS_MAIN(Training)
#include "tst_training.moc"
