#include "core/base/name_index.h"

#include <QTest>

#include <string>

using namespace plimsoll;

/// Positions are found by names that the list alone keeps.
class NameIndexTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNameStandsForItsFirstPosition();
    void manyNamesAreFound();
};

void NameIndexTest::aNameStandsForItsFirstPosition()
{
    const std::vector<std::string> names = {"a", "b", "a"};
    const auto nameOf = [&](std::size_t at) -> std::string_view { return names[at]; };
    NameIndex index;
    QVERIFY(!index.find("a", nameOf));
    QVERIFY(index.add("a", 0, nameOf));
    QVERIFY(index.add("b", 1, nameOf));
    QVERIFY(!index.add("a", 2, nameOf));
    QCOMPARE(index.find("a", nameOf), std::optional<std::size_t>(0));
    QCOMPARE(index.find("b", nameOf), std::optional<std::size_t>(1));
    QVERIFY(!index.find("c", nameOf));
}

void NameIndexTest::manyNamesAreFound()
{
    std::vector<std::string> names;
    const auto nameOf = [&](std::size_t at) -> std::string_view { return names[at]; };
    NameIndex index;
    for (std::size_t i = 0; i < 10'000; ++i) {
        names.push_back("value" + std::to_string(i));
        QVERIFY(index.add(names.back(), i, nameOf));
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        QCOMPARE(index.find(names[i], nameOf), std::optional(i));
    QVERIFY(!index.find("value10000", nameOf));
}

QTEST_GUILESS_MAIN(NameIndexTest)
#include "tst_name_index.moc"
