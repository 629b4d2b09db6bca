#include "core/facts/english/english.h"
#include "core/facts/range_changes.h"

#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

Report planned(const std::string& text, std::string_view id, std::string_view value)
{
    PlanRequest request;
    test::choose(request.policies, {{"inplace", "off"}, {"alignment", "1"}, {id, value}});
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

std::vector<RangeChange> changesOf(const Report& before, const Report& after)
{
    return changedRanges(before, after, matchValues(*before.program.graph, *after.program.graph));
}

QString stepsOf(const LiveRanges& live)
{
    return live.empty() ? QStringLiteral("-") : QStringLiteral("%1..%2").arg(live.hull().begin).arg(live.hull().end);
}

/// "a 2400 0..2 0..5 +0 save-all"
QString drawn(const std::vector<RangeChange>& changes)
{
    QStringList lines;
    for (const RangeChange& change : changes)
        lines << QStringLiteral("%1 %2 %3 %4 %5 %6")
                     .arg(QString::fromStdString(change.value))
                     .arg(change.bytes)
                     .arg(stepsOf(change.before), stepsOf(change.after))
                     .arg(change.afterPeak - change.beforePeak)
                     .arg(QString::fromStdString(english(change.reason)))
                     .trimmed();
    return lines.join(QStringLiteral(" | "));
}

/// a = x + 2, p = a · m, b = p + 2, q = b · m: a and b are of 2,400 bytes, and m of 12 is frozen.
const std::string Chain = "input x float32[200,3]\nparam m float32[3]\nconst two float32[] = 2\n"
                          "n0: a = Add(x, two)\nn1: p = Mul(a, m)\nn2: s = ReduceSum(p) keepdims=1\n"
                          "n3: b = Add(s, two)\nn4: q = Mul(b, m)\nn5: z = ReduceSum(q) keepdims=0\n"
                          "output z\ngrad x\nloss z\n";

const std::string Foldable = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                             "const wide int64[2] = 10 100\n"
                             "n0: big = Expand(w, wide)\nn1: y = Relu(x)\nn2: z = Add(y, big)\noutput z\n";

} // namespace

/// Which values another choice keeps alive longer or shorter.
class RangeChanges : public QObject
{
    Q_OBJECT

private slots:
    void valuesWhoseRangesDifferAndNoOthers_data();
    void valuesWhoseRangesDifferAndNoOthers();
    void bytesOutsideTheArenasAreAtNoPeak();
    void bytesAtThePeakAddUpToWhatIsAlive();
    void whoLiesElsewhereHasChanged();
    void bytesOfAStorageAreThoseOfWhoIsAliveInIt();
    void whatIndependentOutputsCostIsNamed_data();
    void whatIndependentOutputsCostIsNamed();
};

void RangeChanges::valuesWhoseRangesDifferAndNoOthers_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("changes");
    QTest::newRow("the same") << QByteArray("saved") << QByteArray("guarded") << QByteArray("exact") << "";
    QTest::newRow("more is kept") << QByteArray("saved") << QByteArray("guarded") << QByteArray("save-all")
                                  << "a 2400 0..2 0..11 0 save-all | b 4 3..5 3..8 0 save-all";
    QTest::newRow("less is kept") << QByteArray("saved") << QByteArray("save-all") << QByteArray("guarded")
                                  << "a 2400 0..11 0..2 0 save-all | b 4 3..8 3..5 0 save-all";
}

void RangeChanges::valuesWhoseRangesDifferAndNoOthers()
{
    QFETCH(QByteArray, policy);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);

    QTEST(drawn(changesOf(planned(Chain, policy.toStdString(), before.toStdString()),
                          planned(Chain, policy.toStdString(), after.toStdString()))),
          "changes");
}

/// big leaves the arena when it is computed ahead: 4,000 bytes fewer at the peak, and none more, although the caller
/// holds it from the first step to the last.
void RangeChanges::bytesOutsideTheArenasAreAtNoPeak()
{
    const auto changes = changesOf(planned(Foldable, "fold", "shapes"), planned(Foldable, "fold", "all"));

    const auto big = std::find_if(changes.begin(), changes.end(), [](const auto& one) { return one.value == "big"; });
    QVERIFY(big != changes.end());
    QCOMPARE(big->beforePeak, std::int64_t {4000});
    QCOMPARE(big->afterPeak, std::int64_t {0});
    QCOMPARE(big->beforePlace, std::string("cpu"));
    QCOMPARE(big->afterPlace, std::string("computed ahead"));
    QCOMPARE(english(big->reason), std::string("depends on constants alone"));
}

/// Against nothing, every value has changed. v is a part of y's bytes, and counted with y alone.
void RangeChanges::bytesAtThePeakAddUpToWhatIsAlive()
{
    const std::string views = "input x float32[100]\nn0: y = Relu(x)\n"
                              "n1: v = my::View(y) alias=0:view:0:0\nvalue v float32[50]\n"
                              "n2: p = my::Two(v, y)\nvalue p float32[10]\nn3: q = Relu(p)\noutput q\n";
    const Report report = planned(views, "fold", "shapes");
    std::int64_t sum = 0;
    for (const RangeChange& change : changesOf(planned("input z float32[1]\noutput z\n", "fold", "shapes"), report))
        sum += change.afterPeak;
    QCOMPARE(sum, report.memory.peakBytes);
}

/// Alive in the same steps, and somewhere else.
void RangeChanges::whoLiesElsewhereHasChanged()
{
    const std::string text = "input x float32[100]\nn0: y = Relu(x)\noutput y\n";
    const auto changes = changesOf(planned(text, "outputs", "independent"), planned(text, "outputs", "external"));
    QCOMPARE(changes.size(), std::size_t {1});
    QVERIFY(changes[0].before == changes[0].after);
    QCOMPARE(changes[0].beforePlace + " " + changes[0].afterPlace, std::string("cpu the caller"));
}

/// y is written over a: what is alive at the peak is y.
void RangeChanges::bytesOfAStorageAreThoseOfWhoIsAliveInIt()
{
    PlanRequest request;
    request.policies.backend = BackendPolicy::Reference;
    const std::string text = "input x float32[100]\nn0: a = Relu(x)\nn1: y = Sigmoid(a)\nn2: p = my::Two(y)\n"
                             "value p float32[200]\nn3: q = my::Last(p, y)\nvalue q float32[1]\noutput q\n";
    const Report report = analyse(test::graphFromText(text), request, {}).value();
    const auto& values = report.program.values;
    const auto index = [&](const char* name) { return findValue(*report.program.graph, name).index(); };
    QVERIFY(values[index("a")].storage == values[index("y")].storage);
    for (const RangeChange& change : changesOf(planned("input z float32[1]\noutput z\n", "fold", "shapes"), report)) {
        if (change.value == "a") QCOMPARE(change.afterPeak, std::int64_t {0});
        if (change.value == "y") QVERIFY(change.afterPeak >= 400);
    }
}

/// An identity of an identity, handed out twice: one of the two gets 16 bytes of its own.
void RangeChanges::whatIndependentOutputsCostIsNamed_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("changes");
    QTest::newRow("it parts") << QByteArray("shared") << QByteArray("independent")
                              << "y1 16 2..3 2..3 16 x_copy → none: Two graph outputs would share: a write to "
                                 "one would show in the other.";
    QTest::newRow("it joins") << QByteArray("independent") << QByteArray("shared")
                              << "y1 16 2..3 2..3 -16 none → x_copy: 'y1' repeats the bytes of 'x_copy', and nothing "
                                 "writes them while either is read.";
    QTest::newRow("nothing parts") << QByteArray("shared") << QByteArray("read-only") << "";
}

void RangeChanges::whatIndependentOutputsCostIsNamed()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const auto under = [](const QByteArray& outputs) {
        PlanRequest request;
        test::choose(request.policies, {{"alignment", "1"}, {"outputs", outputs.toStdString()}});
        return analyse(test::graphFromText("input x float32[4]\nn0: x_copy = Identity(x)\nn1: y0 = Identity(x_copy)\n"
                                           "n2: y1 = Identity(x_copy)\noutput y0 y1\n"),
                       request, {})
            .value();
    };
    QStringList lines;
    for (const RangeChange& change : changesOf(under(before), under(after))) {
        const auto host = [](const std::string& name) {
            return name.empty() ? QStringLiteral("none") : QString::fromStdString(name);
        };
        RangeChange steps = change;
        steps.reason = {};
        lines << QStringLiteral("%1 %2 → %3: %4")
                     .arg(drawn({steps}), host(change.beforeHost), host(change.afterHost),
                          QString::fromStdString(english(change.reason)));
    }
    QTEST(lines.join(QStringLiteral(" | ")), "changes");
}

QTEST_APPLESS_MAIN(RangeChanges)
#include "tst_range_changes.moc"
