#include "core/base/sort_by_key.h"

#include <QTest>

#include <random>
#include <string>

using namespace plimsoll;

/// Lists of large elements are sorted by a key.
class SortByKeyTest : public QObject
{
    Q_OBJECT

private slots:
    void equalKeysStayInTheirOrder()
    {
        std::vector<std::string> words = {"bee", "a", "ant", "of", "cow", "to", "b"};
        sortByKey(words, &std::string::size);
        QCOMPARE(words, (std::vector<std::string> {"a", "b", "of", "to", "bee", "ant", "cow"}));
    }

    void itSortsAsTheLibraryDoes()
    {
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            std::vector<std::pair<int, int>> list;
            for (auto i = random() % 40; i > 0; --i)
                list.emplace_back(static_cast<int>(random() % 10), static_cast<int>(random() % 1000));
            auto expected = list;
            std::ranges::stable_sort(expected, {}, &std::pair<int, int>::first);
            sortByKey(list, [](const auto& pair) { return pair.first; });
            QVERIFY2(list == expected, qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
};

QTEST_APPLESS_MAIN(SortByKeyTest)
#include "tst_sort_by_key.moc"
