#include "core/plan/finding.h"

#include <QtTest>

#include <set>

using namespace plimsoll;

class FindingTest : public QObject
{
    Q_OBJECT

private slots:
    void everyRuleHasAnIdOfItsOwnAndASummary()
    {
        std::set<std::string_view> ids;
        for (int i = 0; i <= static_cast<int>(Rule::MissedSharing); ++i) {
            const auto rule = static_cast<Rule>(i);
            QVERIFY(ids.insert(ruleId(rule)).second);
            QCOMPARE(ruleFromId(ruleId(rule)), std::optional(rule));
            QVERIFY(ruleSummary(rule).size() > 10);
        }
        QVERIFY(!ruleFromId("no-such-rule"));
    }

    void theIdsAreThoseOfTheContract()
    {
        QCOMPARE(ruleId(Rule::ClobberedRead), std::string_view("clobbered-read"));
        QCOMPARE(ruleId(Rule::OutputAliasesInput), std::string_view("output-aliases-input"));
        QCOMPARE(ruleId(Rule::BeyondCapacity), std::string_view("beyond-capacity"));
        QCOMPARE(ruleId(Rule::UninitialisedRead), std::string_view("uninitialised-read"));
        QCOMPARE(severityName(Severity::Error), std::string_view("error"));
    }
};

QTEST_APPLESS_MAIN(FindingTest)
#include "tst_finding.moc"
