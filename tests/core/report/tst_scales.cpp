#include "core/report/escape.h"
#include "core/report/svg_hatch.h"
#include "core/report/svg_scale.h"

#include <QTest>

#include <limits>

using namespace plimsoll;

/// What the writers of files share: names made harmless, patterns, ticks and colours.
class ScalesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreWrittenForEachFormat_data();
    void namesAreWrittenForEachFormat();
    void textIsCutByCharacters();
    void terminalsObeyNothing();
    void patternsAreLinesInsideTheirRectangle_data();
    void patternsAreLinesInsideTheirRectangle();
    void numbersHaveTwoDecimalsAtMost();
    void ticksAreRound();
    void rolesHaveColours();
};

void ScalesTest::namesAreWrittenForEachFormat_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("xml");
    QTest::addColumn<QByteArray>("markdown");
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QByteArray>("dot");
    const auto row = [](const char* name, const char* xml, const char* markdown, const char* csv, const char* dot) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(xml) << QByteArray(markdown) << QByteArray(csv)
                            << QByteArray(dot);
    };
    row("conv1", "conv1", "conv1", "conv1", "conv1");
    row("a<b>&'c'", "a&lt;b&gt;&amp;&#39;c&#39;", "a\\<b\\>&amp;'c'", "a<b>&'c'", "a<b>&'c'");
    row("say \"a\\b\"", "say &quot;a\\b&quot;", "say \"a\\\\b\"", "\"say \"\"a\\b\"\"\"", "say \\\"a\\\\b\\\"");
    row("two\nlines", "two\nlines", "two lines", "\"two\nlines\"", "two lines");
    row("a|b`c`*_[x]~$", "a|b`c`*_[x]~$", "a\\|b\\`c\\`\\*\\_\\[x\\]\\~\\$", "a|b`c`*_[x]~$", "a|b`c`*_[x]~$");
    row("=1+2", "=1+2", "=1+2", "'=1+2", "=1+2");
    row("-x,y", "-x,y", "-x,y", "\"'-x,y\"", "-x,y");
    row("bad\xFFz", "bad\\xffz", "bad\\\\xffz", "bad\\xffz", "bad\\\\xffz");
    row("i\x01j", "i\\x01j", "i\\\\x01j", "i\\x01j", "i\\\\x01j");
    row("turn\xE2\x80\xAE", "turn\\u202e", "turn\\\\u202e", "turn\\u202e", "turn\\\\u202e");
    row("z\xE2\x80\x8B\xEF\xBB\xBF", "z\\u200b\\ufeff", "z\\\\u200b\\\\ufeff", "z\\u200b\\ufeff",
        "z\\\\u200b\\\\ufeff");
    row("t\xF3\xA0\x80\x81", "t\\U000e0001", "t\\\\U000e0001", "t\\U000e0001", "t\\\\U000e0001");
    row("\xEF\xBC\x9D"
        "1",
        "\xEF\xBC\x9D"
        "1",
        "\xEF\xBC\x9D"
        "1",
        "'\xEF\xBC\x9D"
        "1",
        "\xEF\xBC\x9D"
        "1");
}

void ScalesTest::namesAreWrittenForEachFormat()
{
    QFETCH(QByteArray, name);
    const std::string text = name.toStdString();
    QTEST(QByteArray::fromStdString(escapeXml(text)), "xml");
    QTEST(QByteArray::fromStdString(escapeMarkdown(text)), "markdown");
    QTEST(QByteArray::fromStdString(escapeCsv(text)), "csv");
    QTEST(QByteArray::fromStdString(escapeDot(text)), "dot");
}

void ScalesTest::textIsCutByCharacters()
{
    QCOMPARE(shortened("größer", 6), std::string("größer"));
    QCOMPARE(shortened("größer", 4), std::string("grö…"));
    QCOMPARE(shortened("größer", 3), std::string("gr…"));
    QCOMPARE(shortened("", 1), std::string());
    QVERIFY(escapeDot(std::string(40'000, 'n')).size() < 16'384 / 4); // so many stand in a string of Graphviz
    QCOMPARE(cleanUtf8("a\xC0\xAF"
                       "b\xED\xA0\x80"),
             std::string("a\xEF\xBF\xBD\xEF\xBF\xBD"
                         "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
    QCOMPARE(cleanUtf8("a\x01\tb\x7F"), std::string("a\xEF\xBF\xBD\tb\xEF\xBF\xBD"));
    QCOMPARE(cleanUtf8("\xEF\xBF\xBE"), std::string("\xEF\xBF\xBD"));
}

void ScalesTest::terminalsObeyNothing()
{
    QCOMPARE(visibleText("a\x1B[2J\nb\tc"), std::string("a\\x1b[2J\nb\\x09c"));
    QCOMPARE(visibleLine("a\nb\x7F"), std::string("a\\x0ab\\x7f"));
    QCOMPARE(visibleLine("\xFF"
                         "größer\xC2\x85"),
             std::string("\\xffgrößer\\u0085"));
}

void ScalesTest::patternsAreLinesInsideTheirRectangle_data()
{
    QTest::addColumn<int>("pattern");
    QTest::addColumn<QString>("path");
    const auto row = [](Pattern pattern, const char* path) {
        QTest::addRow("%d", static_cast<int>(pattern)) << static_cast<int>(pattern) << QString::fromLatin1(path);
    };
    //  4   12   20
    //  +---------+ 8
    //  | /  /  / |      lines x + y = 16, 24, 32
    //  +---------+ 16   lines x - y = -8, 0, 8
    row(Pattern::Plain, "");
    row(Pattern::InPlace, "M4 12L8 8M8 16L16 8M16 16L20 12");
    row(Pattern::Scratch, "M4 12L8 8M8 16L16 8M16 16L20 12M4 12L8 16M8 8L16 16M16 8L20 12");
    row(Pattern::Padding, "M8 8L8 16M16 8L16 16");
    row(Pattern::Rounding, "M4 12L8 16M8 8L16 16M16 8L20 12");
    row(Pattern::View, "M8 8L10 8M16 8L18 8");
}

void ScalesTest::patternsAreLinesInsideTheirRectangle()
{
    QFETCH(int, pattern);
    const auto of = [&](const PixelRect& rect) { return hatchPath(static_cast<Pattern>(pattern), rect); };
    QTEST(QString::fromStdString(of({4, 8, 16, 8})), "path");
    QCOMPARE(of({4.5, 8.5, 1, 1}), std::string());
}

void ScalesTest::numbersHaveTwoDecimalsAtMost()
{
    QCOMPARE(decimal(12), std::string("12"));
    QCOMPARE(decimal(12.5), std::string("12.5"));
    QCOMPARE(decimal(0.256), std::string("0.26"));
    QCOMPARE(decimal(-0.001), std::string("0"));
    QCOMPARE(decimal(1e7), std::string("10000000"));
    QCOMPARE(decimal(std::numeric_limits<double>::infinity()), std::string("0"));
}

void ScalesTest::ticksAreRound()
{
    QCOMPARE(ticks(0, 5), (std::vector<std::int64_t> {0}));
    QCOMPARE(ticks(7, 10), (std::vector<std::int64_t> {0, 1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(ticks(23, 5), (std::vector<std::int64_t> {0, 5, 10, 15, 20}));
    QCOMPARE(ticks(60, 4), (std::vector<std::int64_t> {0, 20, 40, 60}));
    QCOMPARE(byteTicks(4096, 4), (std::vector<std::int64_t> {0, 1024, 2048, 3072, 4096}));
    QCOMPARE(byteTicks(5120, 4), (std::vector<std::int64_t> {0, 2048, 4096}));
    QVERIFY(ticks(std::numeric_limits<std::int64_t>::max(), 5).size() <= 6);
}

void ScalesTest::rolesHaveColours()
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const Palette& colours = palette(theme);
        QVERIFY(roleColour(colours, "grid") == colours.grid);
        QVERIFY(roleColour(colours, "curve-fill") == colours.curveFill);
        QVERIFY(roleColour(colours, "s3") == colours.storages[3]);
        QVERIFY(roleColour(colours, "on-s3") == textOn(colours.storages[3]));
        QVERIFY(roleColour(colours, "s" + std::to_string(colours.storages.size() + 1)) == colours.storages[1]);
    }
}

QTEST_GUILESS_MAIN(ScalesTest)
#include "tst_scales.moc"
