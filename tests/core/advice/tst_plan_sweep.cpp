#include "core/advice/plan_sweep.h"

#include "core/facts/english/english.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// b lies over a where in-place is on; 4 bytes an element and 64 of alignment.
const std::string Chain =
    "input x float32[batch,16]\na = Relu(x)\nb = Exp(a)\nc = MatMul(b, b)\nvalue c float32[batch,16]\noutput c\n";
const std::string Squares = "input x float32[n,n]\na = MatMul(x, x)\nb = Relu(a)\noutput b\n";

QString axisText(const char* text)
{
    const Result<SweepAxis> axis = readSweepAxis(text);
    if (!axis.ok()) return QString::fromStdString(english(axis.error().message));
    QStringList values;
    for (const std::string& value : axis.value().values)
        values << QString::fromStdString(value);
    return QString::fromStdString(axis.value().name) +
           (axis.value().ofPolicy ? QStringLiteral(" (policy): ") : QStringLiteral(": ")) + values.join(u' ');
}

Result<Sweep> swept(const std::string& text, const std::vector<const char*>& over, const Context& context = {})
{
    const Graph graph = test::graphFromText(text);
    std::vector<SweepAxis> axes;
    for (const char* one : over)
        axes.push_back(readSweepAxis(one).value());
    const auto plan = [&](const PlanRequest& request) { return analyse(graph, request, {}); };
    return sweep({}, std::move(axes), plan, context);
}

/// "1 512; 2 1024"
QString peaks(const Result<Sweep>& found)
{
    if (!found.ok()) return QString::fromStdString(english(found.error().message));
    QStringList lines;
    for (const SweepPoint& point : found.value().points) {
        QStringList cells;
        for (const std::string& value : point.values)
            cells << QString::fromStdString(value);
        cells << (point.refused.empty() ? QString::number(point.cost.peakBytes)
                                        : QString::fromStdString(english(point.refused)));
        lines << cells.join(u' ');
    }
    return lines.join(QStringLiteral("; "));
}

} // namespace

/// What plans take over sizes and policies.
class tst_PlanSweep : public QObject
{
    Q_OBJECT

private slots:
    /// Only points of the same sizes are held against one another; a time that lacks other nodes counts for nothing.
    void theUnbeatenAreKnown()
    {
        Sweep sweep {{{"n", false, {"1", "2"}}, {"inplace", true, {"on", "off", "identity-only"}}}, {}, false};
        const auto point = [&](const char* n, const char* inplace, const PlanCost& cost) {
            sweep.points.push_back({{n, inplace}, cost, 0, true, {}});
        };
        point("1", "on", {.peakBytes = 64, .externalBytes = 8, .kernelMs = 3});
        point("1", "off", {.peakBytes = 128, .externalBytes = 8, .kernelMs = 2});
        point("1", "identity-only", {.peakBytes = 128, .externalBytes = 8, .kernelMs = 4});
        point("2", "on", {.peakBytes = 256, .externalBytes = 8, .kernelMs = 1, .untimedNodes = 2});
        point("2", "off", {.peakBytes = 128, .externalBytes = 8, .kernelMs = 6});
        point("2", "identity-only", {.peakBytes = 128, .externalBytes = 8, .kernelMs = 6});
        QCOMPARE(unbeaten(sweep), (std::vector<bool> {true, true, false, false, true, true}));
        sweep.points[4].refused = say("text", "no");
        QCOMPARE(unbeaten(sweep), (std::vector<bool> {true, true, false, false, false, true}));
    }
    void axesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* text, const char* wanted) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(wanted);
        };
        row("batch=1,2,6", "batch: 1 2 6");
        row("batch=1..10", "batch: 1 2 4 8 10");
        row("batch=3..3,0", "batch: 3 0");
        row("inplace=on,off", "inplace (policy): on off");
        row("inplace=*", "inplace (policy): on identity-only off");
        row("alignment=16..64", "alignment (policy): 16 32 64");
        row("capacity=cpu=1024,cpu=512", "capacity (policy): cpu=1024 cpu=512");
        row("capacity=*", "The policy 'capacity' has no list of values: name those to try.");
        row("batch",
            "'batch' is not NAME=VALUES, such as batch=1..64, sequence=128,512 or outputs=shared,independent.");
        row("batch=",
            "'batch=' is not NAME=VALUES, such as batch=1..64, sequence=128,512 or outputs=shared,independent.");
        row("batch=1,,2", "'' is no size, such as 8, and no range of sizes, such as 1..64.");
        row("batch=8..2", "'8..2' is no size, such as 8, and no range of sizes, such as 1..64.");
        row("batch=0..2", "'0..2' is no size, such as 8, and no range of sizes, such as 1..64.");
        row("batch=-1", "'-1' is no size, such as 8, and no range of sizes, such as 1..64.");
        row("batch=5000000000000000000..9000000000000000000", "batch: 5000000000000000000 9000000000000000000");
        QVERIFY(!readSweepAxis("inplace=sometimes").ok());
    }
    void axesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        QCOMPARE(axisText(text.toLatin1().constData()), wanted);
    }

    void everyCombinationIsPlanned()
    {
        QCOMPARE(peaks(swept(Squares, {"n=4..16"})), QStringLiteral("4 64; 8 256; 16 1024"));
        QCOMPARE(peaks(swept(Squares, {"inplace=on,off", "n=8,16"})),
                 QStringLiteral("on 8 256; on 16 1024; off 8 512; off 16 2048"));
    }

    void whatCannotBePlannedSaysWhy()
    {
        const QString found = peaks(swept(Chain, {"batch=16,8"}));
        QVERIFY2(found.startsWith(QStringLiteral("16 ")) && found.contains(QStringLiteral("; 8 ")) &&
                     found.contains(QStringLiteral("cannot be multiplied")),
                 qPrintable(found));
    }

    void whatTheGraphDoesNotKnowEndsIt()
    {
        const Result<Sweep> found = swept(Squares, {"m=1,2"});
        QVERIFY(!found.ok());
        QCOMPARE(found.error().code, ErrorCode::BadUsage);
        QVERIFY2(describe(found.error()).find("'m'") != std::string::npos, describe(found.error()).c_str());
    }

    void tooManyAreRefused()
    {
        QCOMPARE(peaks(swept(Squares, {"n=1..64", "n=1"})), QStringLiteral("'n' is varied twice."));
        std::string many = "n=1";
        for (int i = 2; i <= 4097; ++i)
            many += "," + std::to_string(i);
        QCOMPARE(peaks(swept(Squares, {many.c_str()})), QStringLiteral("That would be 4097 plans; 4096 are the most."));
    }

    void aStopLeavesWhatThereIs()
    {
        std::stop_source enough;
        int told = 0;
        const Context context {enough.get_token(), [&](std::string_view, double) {
                                   if (++told == 2) enough.request_stop();
                               }};
        const Result<Sweep> found = swept(Squares, {"n=4..16"}, context);
        QCOMPARE(peaks(found), QStringLiteral("4 64"));
        QVERIFY(found.value().stopped);
    }
};

QTEST_APPLESS_MAIN(tst_PlanSweep)
#include "tst_plan_sweep.moc"
