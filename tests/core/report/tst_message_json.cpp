#include "core/report/message_json.h"

#include "core/facts/english/english.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace plimsoll;
using Json = nlohmann::ordered_json;
using Joint = word::List::Joint;

class MessageJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMessageComesBack_data();
    void aMessageComesBack();
    void aTextHoldsAMessage();
    void whatIsNoMessageIsNone_data();
    void whatIsNoMessageIsNone();
    void messagesInMessagesEnd();
    void anErrorComesBack();
};

void MessageJsonTest::aMessageComesBack_data()
{
    QTest::addColumn<Message>("message");
    QTest::newRow("nothing") << Message();
    QTest::newRow("text") << Message("of a library");
    QTest::newRow("an id") << say("run.stopped");
    QTest::newRow("a text and an amount") << say("run.fingerprinted", std::int64_t {1} << 60, "Odd");
    QTest::newRow("a name, a number") << say("run.overwritten", word::Name {"a'b"}, word::Number {-3});
    QTest::newRow("a size, a range") << say("of", word::Size {4096}, Interval {2, 5});
    for (const auto kind : {Remedy::Kind::Policy, Remedy::Kind::Toggle, Remedy::Kind::Option, Remedy::Kind::Command})
        QTest::addRow("remedy %d", static_cast<int>(kind)) << say("text", Remedy {kind, "saved", "exact"});
    QTest::newRow("a message") << say("clauses", say("run.in-second"), Message());
    for (const auto joint : {Joint::Comma, Joint::Semicolon, Joint::And, Joint::Or})
        QTest::addRow("list %d", static_cast<int>(joint))
            << say("text", word::List {.items = {word::Name {"a"}, say("run.stopped"), 7}, .more = 4, .joint = joint});
}

void MessageJsonTest::aMessageComesBack()
{
    QFETCH(Message, message);
    const auto read = readMessage(Json::parse(messageJson(message).dump()));
    QVERIFY(read);
    QCOMPARE(*read, message);
    QCOMPARE(english(*read), english(message));
}

void MessageJsonTest::aTextHoldsAMessage()
{
    const Message sentence = say("library.absent", say("run.stopped"));
    QCOMPARE(readMessageText(messageText(sentence)), sentence);
    QCOMPARE(messageText(Message("AVX2 {}")), std::string("AVX2 {}"));
    for (const char* text : {"2.6.3", "{", R"({"id": "run.stopped", "arguments": []})", "\xff{"})
        QCOMPARE(readMessageText(messageText(Message(text))), Message(text));
    QCOMPARE(readMessageText("{\"id\": 7}"), Message("{\"id\": 7}"));
    QVERIFY(readMessageText(messageText(say("text", "{\xff"))).id == TextId);
}

void MessageJsonTest::whatIsNoMessageIsNone_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* name, const char* json) { QTest::newRow(name) << QByteArray(json); };
    row("a text", R"("run.stopped")");
    row("an unknown id", R"({"id": "run.no-such-sentence", "arguments": []})");
    row("an id that is none", R"({"id": 7})");
    row("an unknown part", R"({"id": "text", "arguments": [{"id": "run.no-such-sentence"}]})");
    row("half a number", R"({"id": "text", "arguments": [0.5]})");
    row("another kind", R"({"id": "text", "arguments": [{"colour": "red"}]})");
    row("a name of another kind", R"({"id": "text", "arguments": [{"name": 7}]})");
    row("half a range", R"({"id": "text", "arguments": [{"range": [1]}]})");
    row("a list of another kind", R"({"id": "text", "arguments": [{"list": [null], "joint": "and"}]})");
    row("a list joined otherwise", R"({"id": "text", "arguments": [{"list": [1], "joint": "nor"}]})");
}

void MessageJsonTest::whatIsNoMessageIsNone()
{
    QFETCH(QByteArray, json);
    QVERIFY(!readMessage(Json::parse(json.toStdString())));
}

void MessageJsonTest::messagesInMessagesEnd()
{
    const auto nested = [](int depth) {
        Message message = say("run.stopped");
        for (int i = 0; i < depth; ++i)
            message = say("clause", std::move(message));
        return message;
    };
    QVERIFY(readMessage(messageJson(nested(16))));
    QVERIFY(!readMessage(messageJson(nested(100))));
}

void MessageJsonTest::anErrorComesBack()
{
    using enum ErrorCode;
    for (const ErrorCode code : {BadInput, BadUsage, Unsupported, Stopped, Internal}) {
        const Error error {code, say("run.no-kernel", "Odd"), "node 'a'", "a.onnx"};
        const auto read = readError(Json::parse(errorJson(error).dump()));
        QVERIFY(read);
        QCOMPARE(*read, error);
    }
    Json json = errorJson({BadInput, say("run.stopped"), {}, {}});
    json["code"] = "unheard-of";
    QVERIFY(!readError(json));
    QVERIFY(!readError(Json("no device")));
    QVERIFY(!readError(Json::object()));
}

QTEST_APPLESS_MAIN(MessageJsonTest)
#include "tst_message_json.moc"
