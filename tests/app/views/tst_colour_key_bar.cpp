#include "app/views/colour_key_bar.h"

#include <QLabel>
#include <QMenu>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::app;

/// The legend beside the tabs.
class ColourKeyBarTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rangesAreWorded_data();
    void rangesAreWorded();
    void whatHasNoRoomIsInTheTip();
    void aClickShowsTheWholeLegendInColours();
    void longNamesGiveWayToOneAnother();
    void whatHasNoColoursSaysWhy();
    void withoutARunTheReasonIsSaid();
};

void ColourKeyBarTest::rangesAreWorded_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one step") << int(ColourBy::Lifetime) << 1 << 2 << QStringLiteral("1 step  ×4");
    QTest::newRow("as many steps") << int(ColourBy::Lifetime) << 5 << 6 << QStringLiteral("5 steps  ×4");
    QTest::newRow("steps") << int(ColourBy::Lifetime) << 3 << 10 << QStringLiteral("3 to 9 steps  ×4");
    QTest::newRow("alone") << int(ColourBy::Reuse) << 1 << 2 << QStringLiteral("alone  ×4");
    QTest::newRow("one time") << int(ColourBy::Time) << 12 << 13 << QStringLiteral("12 µs  ×4");
    QTest::newRow("times") << int(ColourBy::Time) << 840 << 1210 << QStringLiteral("840 µs to 1.21 ms  ×4");
    QTest::newRow("values") << int(ColourBy::Reuse) << 2 << 4 << QStringLiteral("2 to 3 values  ×4");
}

void ColourKeyBarTest::rangesAreWorded()
{
    QFETCH(int, by);
    QFETCH(int, begin);
    QFETCH(int, end);
    QTEST(ColourKeyBar::textOf(static_cast<ColourBy>(by), {0, {}, {begin, end}, 4}), "expected");
}

void ColourKeyBarTest::whatHasNoRoomIsInTheTip()
{
    ColourKeyBar bar;
    QVERIFY(bar.isHidden());
    bar.setKey(ColourBy::Operator, {{0, "Conv", {}, 3}, {NoColour, "other", {}, 2}});
    QVERIFY(!bar.isHidden());
    QCOMPARE(bar.toolTip(), QStringLiteral("Conv  ×3\nother  ×2"));
    QCOMPARE(bar.accessibleDescription(), QStringLiteral("Conv  ×3, other  ×2"));
    bar.resize(300, 20);
    const QImage all = bar.grab().toImage();
    QCOMPARE(all.pixelColor(16, 10), toColor(storageColour(palette(Theme::Light), 0)));
    bar.setKey(ColourBy::Storage, {});
    QVERIFY(bar.isHidden());
}

void ColourKeyBarTest::aClickShowsTheWholeLegendInColours()
{
    ColourKeyBar bar;
    bar.setKey(ColourBy::Operator, {{0, "Conv", {}, 9}, {1, "a<b", {}, 3}, {2, "Relu", {}, 2}});
    bar.resize(60, 20);
    bar.show();
    QTest::mouseClick(&bar, Qt::LeftButton);
    const auto* whole = bar.findChild<QLabel*>();
    QVERIFY(whole && whole->isVisible());
    QCOMPARE(whole->textFormat(), Qt::RichText);
    const QString shown = whole->text();
    for (const char* words : {"Conv  ×9", "a&lt;b  ×3", "Relu  ×2"})
        QVERIFY2(shown.contains(QString::fromUtf8(words)), qPrintable(shown));
    QVERIFY(shown.contains(toColor(storageColour(palette(Theme::Light), 2)).name()));
    QTest::keyClick(bar.findChild<QMenu*>(), Qt::Key_Escape);
    QTRY_VERIFY(!bar.findChild<QLabel*>());
}

/// Twelve modules whose names are long: each square is there, and no name is left out.
void ColourKeyBarTest::longNamesGiveWayToOneAnother()
{
    ColourKeyBar bar;
    std::vector<ColourKey> key;
    for (ColourIndex i = 0; i < 6; ++i)
        key.push_back({i, "transformer/encoder/layers/attention/block" + std::to_string(i), {}, 3});
    bar.setKey(ColourBy::Module, key);
    bar.resize(900, 20);
    const QImage shown = bar.grab().toImage();
    for (ColourIndex i = 0; i < 6; ++i) {
        const QColor colour = toColor(storageColour(palette(Theme::Light), i));
        bool seen = false;
        for (int x = 0; x < shown.width(); ++x)
            seen = seen || shown.pixelColor(x, 10) == colour;
        QVERIFY2(seen, qPrintable(QString::number(i)));
    }
}

void ColourKeyBarTest::whatHasNoColoursSaysWhy()
{
    ColourKeyBar bar;
    for (const auto by : {ColourBy::Kind, ColourBy::Type, ColourBy::Operator, ColourBy::Module, ColourBy::Lifetime,
                          ColourBy::Reuse, ColourBy::Time}) {
        bar.setKey(by, {});
        QVERIFY2(!bar.isHidden() && !bar.toolTip().isEmpty(), qPrintable(QString::number(int(by))));
    }
    bar.setKey(ColourBy::Module, {});
    QCOMPARE(bar.toolTip(), QStringLiteral("No modules: the names of the nodes have no paths"));
}

void ColourKeyBarTest::withoutARunTheReasonIsSaid()
{
    ColourKeyBar bar;
    bar.setKey(ColourBy::Time, {});
    QVERIFY(!bar.isHidden());
    QCOMPARE(bar.toolTip(), QStringLiteral("No times: the plan was not run"));
    bar.setKey(ColourBy::Time, {{12, {}, {1, 5}, 3}});
    QCOMPARE(bar.toolTip(), QStringLiteral("1 µs to 5 µs  ×3"));
}

QTEST_MAIN(ColourKeyBarTest)
#include "tst_colour_key_bar.moc"
