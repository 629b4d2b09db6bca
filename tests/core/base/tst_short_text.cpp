#include "core/base/short_text.h"

#include <QTest>

using namespace plimsoll;

class tst_ShortText : public QObject
{
    Q_OBJECT

private slots:
    void theMiddleIsLeftOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown"); ///< Of 8 bytes at most.
        QTest::newRow("empty") << QByteArray() << QByteArray();
        QTest::newRow("short enough") << QByteArray("12345678") << QByteArray("12345678");
        QTest::newRow("one too long") << QByteArray("123456789") << QByteArray("1234…(1 bytes)…6789");
        QTest::newRow("long") << QByteArray("begin") + QByteArray(1995, '-') << QByteArray("begi…(1,992 bytes)…----");
        QTest::newRow("characters stay whole") << QByteArray("ööööööö") << QByteArray("öö…(6 bytes)…öö");
        QTest::newRow("at odd places") << QByteArray("1öööööö2") << QByteArray("1ö…(8 bytes)…ö2");
    }

    void theMiddleIsLeftOut()
    {
        QFETCH(QByteArray, text);
        QTEST(QByteArray::fromStdString(shortMiddle(text.toStdString(), 8)), "shown");
    }

    void onlyLongWordsAreCut()
    {
        const std::string text = "a few words and\n1234567890 \n  aaaaabbbbb\n";
        QCOMPARE(shortWords(text, 10), text);
        QCOMPARE(shortWords(text, 8), std::string("a few words and\n1234…(2 bytes)…7890 \n  aaaa…(2 bytes)…bbbb\n"));
        QCOMPARE(shortWords("1234567890", 8), std::string("1234…(2 bytes)…7890"));
        QCOMPARE(shortWords("", 8), std::string());
    }
};

QTEST_APPLESS_MAIN(tst_ShortText)
#include "tst_short_text.moc"
