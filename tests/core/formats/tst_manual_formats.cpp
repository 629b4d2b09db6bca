#include "core/facts/english/english.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/pipeline/pipeline.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

QString fileText(const char* path)
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/") + QString::fromLatin1(path));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", path);
    return QString::fromUtf8(file.readAll());
}

QString page()
{
    return fileText("resources/manual/formats.html");
}

std::string example(const QString& id)
{
    const QRegularExpression block(QStringLiteral("<pre id=\"%1\">(.*?)</pre>").arg(id),
                                   QRegularExpression::DotMatchesEverythingOption);
    return block.match(page()).captured(1).toStdString();
}

} // namespace

/// The manual's page on file formats: its examples are read, and no key is missing.
class ManualFormats : public QObject
{
    Q_OBJECT

private slots:
    void theExampleOfAGraphIsPlanned()
    {
        const Result<Graph> graph = readGraphJson(example(QStringLiteral("graph-example")), {});
        QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());
        QVERIFY(graph.value().extra.empty());
        const Result<Report> report = analyse(graph.value(), {}, {});
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QVERIFY(report.value().memory.unplanned.empty());
        QCOMPARE(report.value().memory.peakBytes, std::int64_t {256});
    }

    void theExampleOfAPlanIsLegalForIt()
    {
        const Result<PlanFile> plan = readPlanJson(example(QStringLiteral("plan-example")), {});
        QVERIFY2(plan.ok(), plan.ok() ? "" : describe(plan.error()).c_str());
        PlanRequest request;
        request.givenPlan = sharedPlan(plan.value());
        const Result<Graph> graph = readGraphJson(example(QStringLiteral("graph-example")), {});
        const Result<Report> report = analyse(graph.value(), request, {});
        QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
        QCOMPARE(countFindings(report.value()), std::size_t {0});
        QCOMPARE(report.value().memory.peakBytes, std::int64_t {512});
    }

    /// All that the readers of a graph and of a plan's own file ask for by name stands in the page.
    void noKeyIsMissing()
    {
        static const QRegularExpression asked(QStringLiteral(
            R"re((?:at|has|text|textOr|requiredText|integerOr|booleanOr|forEach|forEachField|readList|requiredInteger|takeValues|readOffers)\((?:facts, |root, )?"(\w+)")re"));
        static const QRegularExpression known(
            QStringLiteral(R"re((?:unknownFields|listUnknown|within)\(\s*(?:"\w+", )?\{([^}]*)\})re"));
        static const QRegularExpression quoted(QStringLiteral(R"re("(\w+)")re"));
        const QString manual = page();
        QStringList missing;
        int found = 0;
        const auto check = [&](const QRegularExpression& key, const QString& text) {
            for (auto matches = key.globalMatch(text); matches.hasNext(); ++found) {
                const QString name = matches.next().captured(1);
                const QRegularExpression word(QStringLiteral("<code>[^<]*\\b%1\\b").arg(name));
                if (!word.match(manual).hasMatch() && !missing.contains(name)) missing << name;
            }
        };
        const QString plans = fileText("core/formats/plimsoll/plan_json.cpp");
        const qsizetype end = plans.indexOf(QStringLiteral("/// A storage of a report")); // its keys are no plan's
        QVERIFY(end > 0);
        for (const QString& text :
             {fileText("core/formats/plimsoll/graph_json_read.cpp"), fileText("core/formats/plimsoll/json_tensor.cpp"),
              fileText("core/formats/torch/captured_training.cpp"), plans.left(end)}) {
            const int before = found;
            check(asked, text);
            for (auto lists = known.globalMatch(text); lists.hasNext();)
                check(quoted, lists.next().captured(1));
            QVERIFY2(found > before, qPrintable(text.left(40)));
        }
        QVERIFY2(found > 150, qPrintable(QString::number(found)));
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u' ')));
    }
};

QTEST_APPLESS_MAIN(ManualFormats)
#include "tst_manual_formats.moc"
