#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

Report planned(const std::string& text, std::string_view inPlace = "on")
{
    PlanRequest request;
    test::choose(request.policies, {{"inplace", inPlace}, {"alignment", "1"}});
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// "grad:b over grad:a", in the order of execution.
QString overlays(const Report& report)
{
    QStringList lines;
    for (const Decision& decision : report.decisions) {
        if (decision.kind == DecisionKind::InPlace && decision.accepted && decision.subject.starts_with("grad:"))
            lines += QString::fromStdString(decision.subject + " over " + decision.other);
    }
    return lines.join(u'\n');
}

bool isLegal(const Report& report)
{
    return std::none_of(report.verdict.findings.begin(), report.verdict.findings.end(),
                        [](const Finding& finding) { return finding.severity == Severity::Error; });
}

} // namespace

/// A gradient that comes to a backward node is known to the plan alone: what the node makes may lie over it.
class GradientsInPlace : public QObject
{
    Q_OBJECT

private slots:
    void areWrittenOverWhatTheyAreMadeOf_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(expected);
        };
        row("one behind the other",
            "input x float32[64]\na = Relu(x)\nb = Tanh(a)\nc = Relu(b)\nz = ReduceSum(c) keepdims=0\n"
            "output z\ngrad x\nloss z\n",
            "grad:a over grad:b\ngrad:x over grad:a");
        row("only the last reader",
            "input x float32[64]\na = Exp(x)\nb = Relu(a)\nc = Tanh(b)\nd = Sigmoid(b)\ns = Mul(c, d)\nt = Tanh(s)\n"
            "z = ReduceSum(t) keepdims=0\noutput z\ngrad x\nloss z\n",
            "grad:c over grad:s\ngrad:b#1 over grad:d\ngrad:b#2 over grad:c\ngrad:b over grad:b#1\ngrad:a over grad:b\n"
            "grad:x over grad:a");
        row("not where it is smaller",
            "input x float32[25,10]\nparam w float32[10,5]\nh = Tanh(x)\ny = MatMul(h, w)\nr = Tanh(y)\n"
            "z = ReduceSum(r) keepdims=0\noutput z\ngrad x\nloss z\n",
            "grad:x over grad:h");
    }
    void areWrittenOverWhatTheyAreMadeOf()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Report report = planned(text.toStdString());
        QCOMPARE(overlays(report), expected);
        QVERIFY(isLegal(report));
        QCOMPARE(overlays(planned(text.toStdString(), "off")), QString());
    }

    /// Nothing is kept for Neg, so both halves need one tensor of 256 bytes at a time, and the loss.
    void thePeakFalls()
    {
        const Report report = planned("input x float32[64]\nparam m float32[64]\na = Neg(x)\nb = Neg(a)\nc = Neg(b)\n"
                                      "p = Mul(c, m)\nz = ReduceSum(p) keepdims=0\noutput z\ngrad x\nloss z\n");
        QCOMPARE(report.memory.peakBytes, std::int64_t {256 + 4});
        QVERIFY(isLegal(report));
    }
};

QTEST_APPLESS_MAIN(GradientsInPlace)
#include "tst_gradients_in_place.moc"
