#include "app/window/command_line.h"
#include "app/window/help/format_texts.h"
#include "app/window/pages/samples.h"
#include "app/window/view_table.h"
#include "core/facts/english/english.h"
#include "core/plan/policies.h"

#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Outcome
{
    int status = -1;
    QString errors;
    QImage picture;
};

/// Runs the application itself, with no display.
Outcome screenshot(QStringList arguments)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("shot.png"));
    QProcess application;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromLatin1(name));
    application.setProcessEnvironment(environment);
    application.start(QStringLiteral(PLIMSOLL_APP), arguments << QStringLiteral("--screenshot") << file);
    if (!application.waitForFinished(60000)) return {};
    return {application.exitCode(), QString::fromUtf8(application.readAllStandardError()), QImage(file)};
}

QString example(const char* name)
{
    return QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/") + QString::fromLatin1(name);
}

} // namespace

class ApplicationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void argumentsAreUnderstood();
    void wrongArgumentsAreNamed_data();
    void wrongArgumentsAreNamed();
    void everyViewIsRendered_data();
    void everyViewIsRendered();
    void theManualHasEveryPolicyOnce();
    void theManualHasEveryBugAndItsRule();
    void theManualNamesEveryView();
    void aBrokenFileIsRenderedWithStatusThree();
    void whatIsAskedWronglyIsRenderedWithStatusTwo();
    void aPlanThatBreaksARuleIsRenderedWithStatusOne();
    void aGivenPlanIsJudged();
    void aTableOfBuffersOpens();
    void darkIsDark();
    void aViewIsWrittenAlone();
};

void ApplicationTest::argumentsAreUnderstood()
{
    const auto line = parseCommandLine(
        {QStringLiteral("m.onnx"), QStringLiteral("-p"), QStringLiteral("inplace=off"),
         QStringLiteral("-pcapacity=cpu=64KiB"), QStringLiteral("--dim=batch=4"), QStringLiteral("--shape"),
         QStringLiteral("x=1x3"), QStringLiteral("--max-stored=s=12"), QStringLiteral("--size=640x480"),
         QStringLiteral("--theme"), QStringLiteral("dark"), QStringLiteral("--view"), QStringLiteral("graph")});
    QVERIFY(line.ok());
    QCOMPARE(line.value().file, QStringLiteral("m.onnx"));
    QCOMPARE(line.value().choices.policies.inplace, InplacePolicy::Off);
    QCOMPARE(line.value().choices.policies.capacity.at("cpu"), 65536);
    QCOMPARE(line.value().choices.shapes.dims.at("batch"), 4);
    QCOMPARE(line.value().choices.shapes.shapes.at("x"), (Shape {1, 3}));
    QCOMPARE(line.value().choices.shapes.maxStored.at("s"), 12);
    QCOMPARE(line.value().size, QSize(640, 480));
    QCOMPARE(line.value().view, QStringLiteral("graph"));
    QVERIFY(line.value().theme == ThemeChoice::Dark);
}

void ApplicationTest::wrongArgumentsAreNamed_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, const char* arguments, const char* named) {
        QTest::newRow(name) << QString::fromLatin1(arguments).split(u' ') << QString::fromLatin1(named);
    };
    row("no such option", "--loud", "--loud");
    row("no such view", "--view nowhere", "nowhere");
    row("no such policy", "-p nothing=1", "nothing");
    row("a size without a height", "--size 640", "640");
    row("a dimension below zero", "--dim batch=-1", "-1");
    row("a value is missing", "--screenshot", "--screenshot");
    row("two files", "a b --table t.csv", "'a'");
    row("a plan of two", "a b --plan p.json", "'b'");
    row("a plan of nothing", "--plan p.json", "p.json");
    row("two values of a policy", "-p inplace=off -p inplace=on", "'inplace=off' and 'inplace=on'");
    row("two sizes", "--dim=batch=8 --dim batch=9", "'batch=8' and 'batch=9'");
    row("two views", "--view plan --view graph", "'plan' and 'graph'");
}

void ApplicationTest::wrongArgumentsAreNamed()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    const auto line = parseCommandLine(arguments);
    QVERIFY(!line.ok());
    QCOMPARE(line.error().code, ErrorCode::BadUsage);
    QVERIFY2(QString::fromStdString(english(line.error().message)).contains(named),
             english(line.error().message).c_str());
}

void ApplicationTest::everyViewIsRendered_data()
{
    QTest::addColumn<QString>("view");
    for (const QString& view : viewIds())
        QTest::newRow(qPrintable(view)) << view;
}

void ApplicationTest::everyViewIsRendered()
{
    QFETCH(QString, view);
    const Outcome shot = screenshot({example("transformer-block.json"), QStringLiteral("--view"), view,
                                     QStringLiteral("--size"), QStringLiteral("1000x700")});
    QCOMPARE(shot.status, 0);
    QCOMPARE(shot.picture.size(), QSize(1000, 700));
    QCOMPARE(shot.errors, QString());
}

void ApplicationTest::theManualHasEveryPolicyOnce()
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/policies.html"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString written = QString::fromUtf8(file.readAll());
    QVERIFY(written.contains(QStringLiteral("<!-- policies -->")));
    const QString page = written + app::policySections(written);
    for (const PolicyInfo& policy : policyTable())
        QCOMPARE(page.count(QStringLiteral("id=\"%1\"").arg(QString::fromStdString(std::string(policy.id)))), 1);
    QVERIFY(page.contains(QStringLiteral("<tr><td><b>captured</b></td><td>as they stand in the file</td></tr>")));
}

void ApplicationTest::theManualHasEveryBugAndItsRule()
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/gallery.html"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("<!-- gallery -->"));
    const QString sections = app::bugSections();
    const QList<app::Sample> bugs = app::realBugs();
    QVERIFY(bugs.size() >= 12);
    QFile rules(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/rules.html"));
    QVERIFY(rules.open(QIODevice::ReadOnly));
    const QString headings = QString::fromUtf8(rules.readAll());
    for (const app::Sample& bug : bugs) {
        for (const QString& said : {bug.title, bug.system, bug.thread, bug.story})
            QVERIFY2(sections.contains(said.toHtmlEscaped()), qPrintable(said));
        QVERIFY2(headings.contains(QStringLiteral("id=\"%1\"").arg(bug.rule)), qPrintable(bug.rule));
    }
}

void ApplicationTest::theManualNamesEveryView()
{
    QFile page(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/cli.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(page.readAll()).section(QStringLiteral("Views: "), 1).section(u'.', 0, 0);
    text.remove(QRegularExpression(QStringLiteral("\\([^)]*\\)")));
    QStringList named = text.split(u',');
    for (QString& id : named)
        id = id.trimmed();
    QCOMPARE(named, viewIds());
}

void ApplicationTest::aBrokenFileIsRenderedWithStatusThree()
{
    const Outcome shot = screenshot({example("broken-cycle.json")});
    QCOMPARE(shot.status, 3);
    QVERIFY(!shot.picture.isNull());
}

void ApplicationTest::whatIsAskedWronglyIsRenderedWithStatusTwo()
{
    const Outcome shot =
        screenshot({example("two-outputs.json"), QStringLiteral("--max-stored"), QStringLiteral("nosuch=3")});
    QCOMPARE(shot.status, 2);
    QVERIFY2(shot.errors.contains(QStringLiteral("nosuch")), qPrintable(shot.errors));
    QVERIFY(!shot.picture.isNull());
}

void ApplicationTest::aPlanThatBreaksARuleIsRenderedWithStatusOne()
{
    const Outcome shot =
        screenshot({example("residual-block.json"), QStringLiteral("-p"), QStringLiteral("capacity=1KiB")});
    QCOMPARE(shot.status, 1);
    QVERIFY(!shot.picture.isNull());
}

void ApplicationTest::aGivenPlanIsJudged()
{
    const QTemporaryDir folder;
    const QString plan = folder.filePath(QStringLiteral("plan.json"));
    QFile file(plan);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"({"schema": "plimsoll.plan/1", "graph": null, "arenas": [{"space": "cpu", "bytes": 16, "alignment": 1}],
                   "allocations": [], "steps": null})");
    file.close();
    const QString graph = example("two-outputs.json");

    const Outcome judged = screenshot({graph, QStringLiteral("--plan"), plan});
    QCOMPARE(judged.status, 1); // values without a place
    QVERIFY(!judged.picture.isNull());

    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 4}],
                   "allocations": [{"value": "nosuch", "offset": 0, "bytes": 4}]})");
    file.close();
    const Outcome broken = screenshot({graph, QStringLiteral("--plan"), plan});
    QCOMPARE(broken.status, 3);
    QVERIFY2(broken.errors.contains(QStringLiteral("plan.json: allocations[0]")), qPrintable(broken.errors));
    QVERIFY(!broken.picture.isNull());

    const Outcome missing = screenshot({graph, QStringLiteral("--plan"), folder.filePath(QStringLiteral("none.json"))});
    QCOMPARE(missing.status, 3);
    QVERIFY2(missing.errors.contains(QStringLiteral("none.json")), qPrintable(missing.errors));
    QVERIFY(!missing.picture.isNull());
}

void ApplicationTest::aTableOfBuffersOpens()
{
    const QTemporaryDir folder;
    const QString table = folder.filePath(QStringLiteral("problem.csv"));
    QFile file(table);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n");
    file.close();

    const Outcome shown = screenshot({table, QStringLiteral("-p"), QStringLiteral("alignment=1")});

    QCOMPARE(shown.status, 0);
    QVERIFY(!shown.picture.isNull());
}

void ApplicationTest::darkIsDark()
{
    const auto lightness = [](const char* theme) {
        const Outcome shot = screenshot({QStringLiteral("--theme"), QString::fromLatin1(theme)});
        return QColor(shot.picture.pixel(5, shot.picture.height() - 5)).lightness();
    };
    QVERIFY(lightness("dark") < 80);
    QVERIFY(lightness("light") > 200);
}

void ApplicationTest::aViewIsWrittenAlone()
{
    const QTemporaryDir folder;
    const QString picture = folder.filePath(QStringLiteral("live.svg"));
    const QString table = folder.filePath(QStringLiteral("nodes.csv"));
    const QString file = example("residual-block.json");
    const Outcome drawn = screenshot({file, QStringLiteral("--view=live"), QStringLiteral("--whole-picture"), picture});
    QVERIFY2(drawn.status == 0, qPrintable(drawn.errors));
    const Outcome listed = screenshot({file, QStringLiteral("--view=nodes"), QStringLiteral("--table"), table});
    QVERIFY2(listed.status == 0, qPrintable(listed.errors));
    QVERIFY(QFileInfo(picture).size() > 0 && QFileInfo(table).size() > 0);
    const Outcome wrong = screenshot({file, QStringLiteral("--view=nodes"), QStringLiteral("--picture"), picture});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.errors.contains(QStringLiteral("nodes")), qPrintable(wrong.errors));
}

QTEST_GUILESS_MAIN(ApplicationTest)
#include "tst_application.moc"
