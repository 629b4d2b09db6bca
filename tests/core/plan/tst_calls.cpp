#include "core/facts/english/english.h"
#include "core/plan/calls.h"

#include <QtTest>

using namespace plimsoll;

namespace {

/// "FBI": forward, backward, infer.
QString lettersOf(const std::vector<Call>& calls)
{
    QString text;
    for (const Call call : calls)
        text += call == Call::Forward ? u'F' : call == Call::Backward ? u'B' : u'I';
    return text;
}

} // namespace

class CallsTest : public QObject
{
    Q_OBJECT

private slots:
    void aListIsReadWordByWord_data()
    {
        QTest::addColumn<QString>("calls");
        QTest::newRow("once") << "";
        QTest::newRow("infer") << "I";
        QTest::newRow("train") << "FB";
        QTest::newRow("forward,backward") << "FB";
        QTest::newRow("train,infer,train") << "FBIFB";
        QTest::newRow("forward,forward,backward,backward") << "FFBB";
        QTest::newRow("forward,infer,backward") << "FIB";
    }
    void aListIsReadWordByWord()
    {
        QFETCH(QString, calls);

        const auto read = parseCalls(QTest::currentDataTag());

        QVERIFY(read.ok());
        QCOMPARE(lettersOf(read.value()), calls);
    }

    void whatNoGraphCanDoIsRefused_data()
    {
        QTest::addColumn<QString>("says");
        const QString words = QStringLiteral("is none of train, infer, forward, backward");
        QTest::newRow("") << words;
        QTest::newRow("Train") << words;
        QTest::newRow("train,") << words;
        QTest::newRow("train, infer") << words;
        QTest::newRow("once,train") << words;
        QTest::newRow("backward") << "a backward has no forward before it";
        QTest::newRow("forward,backward,backward,forward") << "a backward has no forward before it";
        QTest::newRow("infer,backward") << "a backward has no forward before it";
        QTest::newRow("train,forward") << "a forward has no backward after it";
    }
    void whatNoGraphCanDoIsRefused()
    {
        QFETCH(QString, says);

        const auto read = parseCalls(QTest::currentDataTag());

        QVERIFY(!read.ok());
        QCOMPARE(read.error().code, ErrorCode::BadUsage);
        const QString message = QString::fromStdString(english(read.error().message));
        QVERIFY2(message.startsWith(QStringLiteral("Policy calls: ")) && message.contains(says), qPrintable(message));
    }

    void atMostSixtyFourAreMade()
    {
        const auto repeated = [](const char* word, int times) {
            return QByteArray(word).repeated(times).chopped(1).toStdString();
        };
        QCOMPARE(parseCalls(repeated("infer,", 64)).value().size(), std::size_t(64));
        QCOMPARE(parseCalls(repeated("train,", 32)).value().size(), std::size_t(64));
        QVERIFY(!parseCalls(repeated("infer,", 65)).ok());
        QVERIFY(!parseCalls(repeated("train,", 33)).ok());
    }
};

QTEST_APPLESS_MAIN(CallsTest)
#include "tst_calls.moc"
