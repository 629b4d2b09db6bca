#include "tests/house/house_files.h"

#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace plimsoll::test;

namespace {

/// Folder → the folders it may include besides itself. The arrows of ARCHITECTURE.md.
const QHash<QString, QStringList>& arrows()
{
    static const QHash<QString, QStringList> allowed = [] {
        QHash<QString, QStringList> table;
        const auto add = [&](const char* folder, const char* targets) {
            table[QString::fromLatin1(folder)] = QString::fromLatin1(targets).split(u' ', Qt::SkipEmptyParts);
        };
        add("core/base", "");
        add("core/sandbox", "core/base");
        add("core/graph", "core/base");
        add("core/plan", "core/base core/graph");
        add("core/ops", "core/base core/graph core/plan");
        add("core/formats", "core/base core/graph core/plan core/ops");
        add("core/lower", "core/base core/graph core/plan core/ops");
        add("core/analysis", "core/base core/graph core/plan core/ops");
        add("core/sharing", "core/base core/plan core/ops core/analysis");
        add("core/placement", "core/base core/plan");
        add("core/verify", "core/base core/graph core/ops core/plan");
        add("core/facts", "core/base core/graph core/plan core/ops core/formats core/lower core/analysis");
        add("core/picture", "core/base core/graph core/plan core/ops core/facts");
        add("core/report", "core/base core/graph core/plan core/formats core/facts core/picture");
        add("core/record", "core/base core/graph core/plan core/formats");
        add("core/pipeline", "core/base core/plan core/ops core/formats core/lower core/analysis core/sharing "
                             "core/placement core/verify core/facts");
        add("core/advice",
            "core/base core/plan core/ops core/formats core/analysis core/facts core/report core/pipeline");
        add("kernels", "core/base core/graph core/plan");
        add("kernels/common", "core/graph core/ops kernels");
        add("kernels/reference", "core/graph core/plan core/ops kernels kernels/common");
        add("kernels/onednn", "core/base core/graph core/plan core/ops kernels");
        add("kernels/cuda", "core/base core/graph core/plan core/ops kernels kernels/common");
        add("kernels/run", "core/base core/graph core/plan core/ops core/formats core/lower core/record "
                           "kernels kernels/common kernels/reference kernels/onednn kernels/cuda");
        add("kernels/checks", "core/base core/graph core/plan core/ops core/lower core/pipeline kernels kernels/common "
                              "kernels/run kernels/cuda");
        add("app/checks", "core/base core/facts kernels kernels/checks kernels/cuda");
        add("app/cli", "core/base core/sandbox core/graph core/plan core/ops core/formats core/placement core/verify "
                       "core/facts core/record core/report core/pipeline core/advice kernels/run");
        add("app/session",
            "core/base core/graph core/plan core/formats core/lower core/facts core/record core/picture core/report "
            "core/pipeline core/advice");
        add("app/models", "app/session core/base core/plan core/facts core/record");
        add("app/views", "app/session app/models core/base core/sandbox core/graph core/facts core/picture");
        add("app/window",
            "app/session app/models app/views core/base core/sandbox core/graph core/ops core/plan core/formats "
            "core/facts core/record "
            "core/report core/advice");
        return table;
    }();
    return allowed;
}

/// "core/base/ids.h" → "core/base"; deeper folders count as the second one.
QString folderOf(const QString& path)
{
    const QStringList parts = path.split(u'/');
    return parts.size() > 2 ? parts[0] + u'/' + parts[1] : parts[0];
}

} // namespace

class HouseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void includesFollowTheArrows();
    void coreAndKernelsKnowNoQtAndDoNotPrint();
    void filesHaveAtMostFiveHundredLines();
    void functionsHaveAtMostSixtyLinesAndTestsEighty();
    void functionsAreMeasuredByTheirBraces_data();
    void functionsAreMeasuredByTheirBraces();
    void theTreeSpeaksOfTheProjectAlone();
    void sizesAreNarrowedWithACheck();
    void narrowedSizesAreFound_data();
    void narrowedSizesAreFound();
    void everyRuleHasAHeadingInTheManual();
};

void HouseTest::includesFollowTheArrows()
{
    QStringList wrong;
    QHash<QString, QStringList> unused = arrows();
    for (const QString& file : sourceFiles()) {
        const QString from = folderOf(file);
        if (from.startsWith(QStringLiteral("tests"))) continue;
        QVERIFY2(arrows().contains(from),
                 qPrintable(QStringLiteral("the folder of %1 has no arrows; add it to this test and to ARCHITECTURE.md")
                                .arg(file)));
        for (const QString& header : includesOf(file).own) {
            const QString to = folderOf(header);
            if (to != from && !arrows()[from].contains(to)) wrong += file + QStringLiteral(" includes ") + header;
            unused[from].removeAll(to);
        }
    }
    for (auto folder = unused.cbegin(); folder != unused.cend(); ++folder) {
        for (const QString& to : folder.value())
            wrong += QStringLiteral("nothing in %1 includes %2: its arrow can go").arg(folder.key(), to);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::coreAndKernelsKnowNoQtAndDoNotPrint()
{
    static const QRegularExpression printing(
        QStringLiteral(R"(\b(?:std::cout|std::cerr|printf|puts|std::abort|abort|std::exit)\s*[(<])"));
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        const bool core = file.startsWith(QStringLiteral("core/"));
        if (!core && !file.startsWith(QStringLiteral("kernels/")) && !file.startsWith(QStringLiteral("app/cli/")))
            continue;
        for (const QString& header : includesOf(file).foreign) {
            if (header.startsWith(u'Q') && header.size() > 1 && header[1].isUpper())
                wrong += file + QStringLiteral(" includes ") + header;
            if (core && (header == QStringLiteral("thread") || header == QStringLiteral("iostream")))
                wrong += file + QStringLiteral(" includes ") + header;
        }
        if (core && readFile(file).contains(printing)) wrong += file + QStringLiteral(" prints or aborts");
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::filesHaveAtMostFiveHundredLines()
{
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        const auto lines = readFile(file).count(u'\n');
        if (lines > 500) wrong += QStringLiteral("%1 has %2 lines").arg(file).arg(lines);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::functionsHaveAtMostSixtyLinesAndTestsEighty()
{
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        for (const FunctionSize& function : functionsOf(readFile(file))) {
            if (function.lines > (file.startsWith(QStringLiteral("tests/")) ? 80 : 60))
                wrong += QStringLiteral("%1:%2 %3 has %4 lines")
                             .arg(file)
                             .arg(function.line)
                             .arg(function.name)
                             .arg(function.lines);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::functionsAreMeasuredByTheirBraces_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("lines");
    QTest::newRow("free function") << "int f(int x)\n{\n    return x;\n}\n"
                                   << "f" << 4;
    QTest::newRow("member with braces inside") << "void C::g()\n{\n    if (a) {\n    }\n}\n"
                                               << "C::g" << 5;
    QTest::newRow("inside a namespace and a class") << "namespace n {\nclass C {\n    void h() { }\n};\n}\n"
                                                    << "h" << 1;
    QTest::newRow("a brace in a literal is none") << "void k()\n{\n    use(\"}\");\n}\n"
                                                  << "k" << 4;
    QTest::newRow("a directive is none") << "#define D m(x)\nnamespace n {\nvoid l() { }\n}\n"
                                         << "l" << 1;
}

void HouseTest::functionsAreMeasuredByTheirBraces()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QFETCH(int, lines);

    const auto functions = functionsOf(text);

    QCOMPARE(functions.size(), std::size_t(1));
    QCOMPARE(functions[0].name, name);
    QCOMPARE(functions[0].lines, lines);
}

void HouseTest::theTreeSpeaksOfTheProjectAlone()
{
    static const QRegularExpression machinePath(QStringLiteral(R"((?:^|[^A-Za-z0-9_.])/(?:work|home|root)/)"));
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        if (file.startsWith(QStringLiteral("tests/house/"))) continue;
        if (readFile(file).contains(machinePath)) wrong += file;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::sizesAreNarrowedWithACheck()
{
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        if (file.startsWith(QStringLiteral("tests"))) continue;
        for (const int line : narrowedSizesOf(readFile(file)))
            wrong +=
                QStringLiteral("%1:%2 casts a size: narrow<T>() checks it (core/base/narrow.h)").arg(file).arg(line);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void HouseTest::narrowedSizesAreFound_data()
{
    QTest::addColumn<bool>("found");
    QTest::newRow("static_cast<int>(bytes.size())") << true;
    QTest::newRow("static_cast<std::uint32_t>(f(a[0]).list->size() + 1)") << true;
    QTest::newRow("static_cast<std::int32_t>(std::ssize(rows))") << true;
    QTest::newRow("static_cast<int>(found - rows.begin())") << true;
    QTest::newRow("f(static_cast<int>(kind), rows.size())") << false;
    QTest::newRow("narrow<int>(bytes.size())") << false;
    QTest::newRow("static_cast<std::int64_t>(bytes.size())") << false;
    QTest::newRow("f(\"static_cast<int>(bytes.size())\")") << false;
}

void HouseTest::narrowedSizesAreFound()
{
    QFETCH(bool, found);
    QCOMPARE(narrowedSizesOf(QString::fromLatin1(QTest::currentDataTag())).size(), std::size_t(found ? 1 : 0));
}

void HouseTest::everyRuleHasAHeadingInTheManual()
{
    const QString manual = readFile(QStringLiteral("resources/manual/rules.html"));
    static const QRegularExpression row(QStringLiteral(R"re(ROW\(\w+,\s*"([\w-]+)")re"));
    QStringList missing;
    auto matches = row.globalMatch(readFile(QStringLiteral("core/plan/rules.h")));
    int found = 0;
    for (; matches.hasNext(); ++found) {
        const QString id = matches.next().captured(1);
        if (!manual.contains(QStringLiteral("id=\"%1\"").arg(id))) missing += id;
    }
    QVERIFY(found >= 15);
    QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("no heading in the manual for: ") + missing.join(u' ')));
}

QTEST_APPLESS_MAIN(HouseTest)
#include "tst_house.moc"
