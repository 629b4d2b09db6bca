#include "core/plan/finding.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace plimsoll;

namespace {

constexpr Rule LastRule = Rule::OutOfMemory;

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// "clobbered-read" → "Rule::ClobberedRead"
QString enumeratorOf(Rule rule)
{
    QString name = QStringLiteral("Rule::");
    const std::string_view id = ruleId(rule);
    for (const QString& word : QString::fromUtf8(id.data(), static_cast<int>(id.size())).split(QLatin1Char('-')))
        name += word.left(1).toUpper() + word.mid(1);
    return name;
}

QString allSources()
{
    QString text;
    for (const char* folder : {"core", "app/cli"}) {
        QDirIterator files(QStringLiteral(PLIMSOLL_SOURCE_DIR "/") + QLatin1String(folder),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            if (!files.next().contains(QLatin1String("core/plan/finding."))) text += textOf(files.filePath());
        }
    }
    return text;
}

} // namespace

class FindingTest : public QObject
{
    Q_OBJECT

private slots:
    void everyRuleHasAnIdOfItsOwnAndASummary()
    {
        std::set<std::string_view> ids;
        for (int i = 0; i <= static_cast<int>(LastRule); ++i) {
            const auto rule = static_cast<Rule>(i);
            QVERIFY(ids.insert(ruleId(rule)).second);
            QCOMPARE(ruleFromId(ruleId(rule)), std::optional(rule));
            QVERIFY(ruleSummary(rule).size() > 10);
        }
        QVERIFY(!ruleFromId("no-such-rule"));
    }

    void everyRuleIsRaisedBySomethingAndTheManualHasNoOther()
    {
        const QString sources = allSources();
        QStringList headings;
        auto found = QRegularExpression(QStringLiteral("<h2 id=\"([a-z-]+)\">"))
                         .globalMatch(textOf(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/rules.html")));
        while (found.hasNext())
            headings << found.next().captured(1);
        for (int i = 0; i < static_cast<int>(LastRule); ++i) {
            const QRegularExpression name(enumeratorOf(static_cast<Rule>(i)) + QStringLiteral("\\b"));
            QVERIFY2(sources.contains(name), qPrintable(name.pattern() + QStringLiteral(" is raised by nothing")));
        }
        for (const QString& heading : headings)
            QVERIFY2(ruleFromId(heading.toStdString()), qPrintable(heading));
        QCOMPARE(headings.size(), static_cast<int>(LastRule) + 1);
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
