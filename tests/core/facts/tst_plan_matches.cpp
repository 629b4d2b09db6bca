#include "core/facts/compare/plan_matches.h"

#include "core/facts/compare/peak_differences.h"
#include "core/facts/english/english.h"
#include "core/facts/range_changes.h"
#include "core/facts/tables.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;
using test::planned;

namespace {

/// "a=p b=q"
std::vector<SaidMatch> saidFrom(const QString& text)
{
    std::vector<SaidMatch> said;
    for (const QString& one : text.split(u' ', Qt::SkipEmptyParts))
        said.push_back({one.section(u'=', 0, 0).toStdString(), one.section(u'=', 1).toStdString()});
    return said;
}

/// "c went 256 → 0 | p came 0 → 256"
QString drawn(const ComparedPeaks& peaks)
{
    QStringList rows;
    for (const PeakDifference& row : peaks.rows)
        rows << QStringLiteral("%1 %2 %3 → %4")
                    .arg(QString::fromStdString(row.name), QString::fromUtf8(peakDifferenceId(row.kind).data()))
                    .arg(row.before)
                    .arg(row.after);
    return rows.join(QStringLiteral(" | "));
}

const char* const Terms = "inplace=off alignment=1";
/// Three tensors of 256 bytes are alive at n2.
const std::string Ladder = "input x float32[64]\nn0: a = Relu(x)\nn1: b = Sigmoid(a)\nn2: c = Add(a, b)\noutput c\n";
/// Others of other operators, so that only x is matched.
const std::string Other = "input x float32[64]\nn0: p = Sin(x)\nn1: q = Cos(p)\nn2: r = Mul(p, q)\noutput r\n";
/// All has the name of the one before it, as where a compiler counts and another node went in front.
const std::string Shifted = "input x float32[64]\nm: a = Neg(x)\nn0: b = Concat(a, a) axis=0\nn1: c = Sigmoid(b)\n"
                            "n2: d = Add(b, c)\noutput d\n";

} // namespace

/// What somebody says is the same in two plans.
class PlanMatchesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsSaidIsTheSame_data();
    void whatIsSaidIsTheSame();
    void whatIsMadeOfItFollows();
    void aNameMayGoToAnother();
    void whatCannotBeMeantIsLeftOut_data();
    void whatCannotBeMeantIsLeftOut();
    void onlyWhatIsInOnePlanIsSayable_data();
    void onlyWhatIsInOnePlanIsSayable();
    void theTableOfChangesFollows();
};

void PlanMatchesTest::whatIsSaidIsTheSame_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("rows");
    QTest::newRow("nothing") << QString()
                             << QStringLiteral("a went 256 → 0 | b went 256 → 0 | c went 256 → 0 | p came 0 → 256 | "
                                               "q came 0 → 256 | r came 0 → 256");
    QTest::newRow("a value") << QStringLiteral("b=q")
                             << QStringLiteral("a went 256 → 0 | c went 256 → 0 | p came 0 → 256 | r came 0 → 256");
    QTest::newRow("two") << QStringLiteral("b=q c=p") << QStringLiteral("a went 256 → 0 | r came 0 → 256");
    QTest::newRow("all") << QStringLiteral("b=q c=r a=p") << QString();
    QTest::newRow("storages") << QStringLiteral("s1=s3 s2=s2") << QStringLiteral("c went 256 → 0 | p came 0 → 256");
    QTest::newRow("a value and a storage") << QStringLiteral("a=s2 b=s3 c=s1") << QString();
}

void PlanMatchesTest::whatIsSaidIsTheSame()
{
    QFETCH(QString, said);
    const Report before = planned(Ladder, Terms);
    const Report after = planned(Other, Terms);
    const PlanMatches matches = matchPlans(before, after, saidFrom(said));
    QVERIFY2(!matches.wrong, matches.wrong ? describe(*matches.wrong).c_str() : "");
    const ComparedPeaks peaks = comparePeaks(before, after, matches);
    QTEST(drawn(peaks), "rows");
    QCOMPARE(peaks.sum, after.memory.peakBytes - before.memory.peakBytes);
    QCOMPARE(matches.byHand, static_cast<std::size_t>(saidFrom(said).size()));
}

/// q = Relu(p) is made of what is said to be the same as a.
void PlanMatchesTest::whatIsMadeOfItFollows()
{
    const Report before = planned("input x float32[64]\nn0: a = Relu(x)\nn1: b = Sin(a)\noutput b\n", Terms);
    const Report after = planned("input x float32[64]\nn0: p = Cos(x)\nn1: q = Sin(p)\noutput q\n", Terms);
    QCOMPARE(matchPlans(before, after).values.byStructure, std::size_t {0});
    const PlanMatches matches = matchPlans(before, after, saidFrom(QStringLiteral("a=p")));
    QCOMPARE(matches.values.byHand, std::size_t {1});
    QCOMPARE(matches.values.byStructure, std::size_t {1});
    QCOMPARE(matches.values.onlyFirst(), std::size_t {0});
    QCOMPARE(matches.values.onlySecond(), std::size_t {0});
}

void PlanMatchesTest::aNameMayGoToAnother()
{
    const Report before = planned(Ladder, Terms);
    const Report after = planned(Shifted, Terms);
    const PlanMatches matches = matchPlans(before, after, saidFrom(QStringLiteral("a=b b=c c=d")));
    QCOMPARE(drawn(comparePeaks(before, after, matches)),
             QStringLiteral("b size 256 → 512 | c size 256 → 512 | d size 256 → 512"));
    QStringList changed;
    for (const RangeChange& change : changedRanges(before, after, matches.values))
        changed << QString::fromStdString(change.value);
    QCOMPARE(changed, QStringList({QStringLiteral("a")})); // which is new
}

void PlanMatchesTest::whatCannotBeMeantIsLeftOut_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("wrong");
    const auto row = [](const char* said, const char* wrong) {
        QTest::newRow(said) << QString::fromUtf8(said) << QString::fromUtf8(wrong);
    };
    row("nowhere=p", "nowhere=p: There is no value, scratchpad or storage 'nowhere' in A.");
    row("a=nowhere", "a=nowhere: There is no value, scratchpad or storage 'nowhere' in B.");
    row("a=s99", "a=s99: There is no value, scratchpad or storage 's99' in B.");
    row("a=scratch:n1", "a=scratch:n1: There is no value, scratchpad or storage 'scratch:n1' in B.");
    row("a=p a=q", "a=q: 'a' of A is matched twice.");
    row("a=p b=p", "b=p: 'p' of B is matched twice.");
    row("s1=p s1=q", "s1=q: 's1' of A is matched twice.");
}

void PlanMatchesTest::whatCannotBeMeantIsLeftOut()
{
    QFETCH(QString, said);
    const Report before = planned(Ladder, Terms);
    const Report after = planned(Other, Terms);
    const PlanMatches matches = matchPlans(before, after, saidFrom(said));
    QVERIFY(matches.wrong.has_value());
    QTEST(QString::fromStdString(describe(*matches.wrong)), "wrong");
    QCOMPARE(matches.byHand, static_cast<std::size_t>(saidFrom(said).size() - 1));
}

void PlanMatchesTest::onlyWhatIsInOnePlanIsSayable_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* one, const char* other, const char* said) {
        QTest::addRow("%s %s", one, other)
            << QString::fromUtf8(one) << QString::fromUtf8(other) << QString::fromUtf8(said);
    };
    row("a", "p", "a=p");
    row("p", "a", "a=p");
    row("a", "b", "");
    row("p", "q", "");
    row("x", "p", "");
    row("a", "free bytes above what is alive", "");
}

void PlanMatchesTest::onlyWhatIsInOnePlanIsSayable()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    const auto said = sayable(planned(Ladder, Terms), planned(Other, Terms), one.toStdString(), other.toStdString());
    QTEST(said ? QString::fromStdString(said->first + "=" + said->second) : QString(), "said");
}

void PlanMatchesTest::theTableOfChangesFollows()
{
    const Report before = planned(Ladder, Terms);
    const Report after = planned(Other, Terms);
    const PlanMatches matches = matchPlans(before, after, saidFrom(QStringLiteral("a=p b=q c=r")));
    Plans plans {after, &before};
    QCOMPARE(changesTable().open(plans)->size(), std::size_t {6});
    plans.matches = &matches;
    QCOMPARE(changesTable().open(plans)->size(), std::size_t {0});
}

QTEST_APPLESS_MAIN(PlanMatchesTest)
#include "tst_plan_matches.moc"
