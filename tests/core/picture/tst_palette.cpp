#include "core/picture/palette.h"

#include "tests/core/picture/colour_difference.h"

#include <QtTest>

using namespace plimsoll;

class TestPalette : public QObject
{
    Q_OBJECT

private slots:
    void differencesAreThoseOfThePaper();
    void coloursDifferInEveryVision_data();
    void coloursDifferInEveryVision();
    void theRampRisesInEveryVision_data() { coloursDifferInEveryVision_data(); }
    void theRampRisesInEveryVision();
    void textIsLegibleOnEveryFill_data() { addThemes(); }
    void textIsLegibleOnEveryFill();
    void mixingReachesBothEnds();

private:
    static void addThemes();
};

void TestPalette::addThemes()
{
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::Light);
    QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    QTest::newRow("contrast") << static_cast<int>(Theme::Contrast);
}

// Pairs 1, 7 and 17 of the test data of Sharma, Wu and Dalal.
void TestPalette::differencesAreThoseOfThePaper()
{
    QVERIFY(std::abs(test::difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) - 2.0425) < 1e-4);
    QVERIFY(std::abs(test::difference({50, 0, 0}, {50, -1, 2}) - 2.3669) < 1e-4);
    QVERIFY(std::abs(test::difference({50, 2.5, 0}, {73, 25, -18}) - 27.1492) < 1e-4);
}

void TestPalette::coloursDifferInEveryVision_data()
{
    QTest::addColumn<int>("theme");
    QTest::addColumn<int>("vision");
    const char* const names[] = {"normal", "protan", "deutan", "tritan"};
    for (test::Vision vision : test::EveryVision) {
        const char* name = names[static_cast<int>(vision)];
        QTest::addRow("light, %s", name) << static_cast<int>(Theme::Light) << static_cast<int>(vision);
        QTest::addRow("dark, %s", name) << static_cast<int>(Theme::Dark) << static_cast<int>(vision);
        QTest::addRow("contrast, %s", name) << static_cast<int>(Theme::Contrast) << static_cast<int>(vision);
    }
}

void TestPalette::coloursDifferInEveryVision()
{
    QFETCH(int, theme);
    QFETCH(int, vision);
    const Palette& colours = palette(static_cast<Theme>(theme));
    std::vector<Rgb> all(colours.storages.begin(), colours.storages.end());
    all.insert(all.end(), {colours.background, colours.violation});

    double least = 100;
    for (std::size_t i = 0; i < StorageColourCount; ++i) {
        for (std::size_t k = i + 1; k < all.size(); ++k) {
            least = std::min(least, test::difference(all[i], all[k], static_cast<test::Vision>(vision)));
        }
    }

    QVERIFY2(least >= 10, qPrintable(QString::number(least)));
}

void TestPalette::theRampRisesInEveryVision()
{
    QFETCH(int, theme);
    QFETCH(int, vision);
    const Palette& colours = palette(static_cast<Theme>(theme));
    Rgb before = colours.background;
    for (const Rgb step : colours.ramp) {
        QVERIFY2(test::difference(before, step, static_cast<test::Vision>(vision)) >= 7, hex(step).c_str());
        QVERIFY2(contrast(colours.background, step) > contrast(colours.background, before), hex(step).c_str());
        QVERIFY2(contrast(step, textOn(step)) >= 4.5, hex(step).c_str());
        before = step;
    }
}

void TestPalette::textIsLegibleOnEveryFill()
{
    QFETCH(int, theme);
    const Palette& colours = palette(static_cast<Theme>(theme));
    const double least = static_cast<Theme>(theme) == Theme::Contrast ? 7 : 4.5;
    for (Rgb fill : colours.storages)
        QVERIFY2(contrast(fill, textOn(fill)) >= least, hex(fill).c_str());
    QVERIFY(contrast(colours.external, textOn(colours.external)) >= least);
    QVERIFY(contrast(colours.violation, colours.onViolation) >= least);
    for (Rgb behind : {colours.background, colours.panel}) {
        QVERIFY(contrast(behind, colours.text) >= 7);
        QVERIFY(contrast(behind, colours.mutedText) >= least);
        QVERIFY(contrast(behind, colours.accent) >= least);
        QVERIFY(contrast(behind, colours.warning) >= least);
        QVERIFY(contrast(behind, colours.bound) >= least);
    }
}

void TestPalette::mixingReachesBothEnds()
{
    const Rgb black {0, 0, 0};
    const Rgb white {255, 255, 255};
    QCOMPARE(mix(black, white, 0), black);
    QCOMPARE(mix(black, white, 1), white);
    QCOMPARE(hex(mix(black, white, 0.5)), std::string("#808080"));
}

QTEST_APPLESS_MAIN(TestPalette)
#include "tst_palette.moc"
