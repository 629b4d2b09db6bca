#include "core/formats/files/json_input.h"

#include "core/facts/english/english.h"

#include <QTest>

#include <malloc.h>

using namespace plimsoll;

namespace {

QString errorOf(const auto& result)
{
    return result.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(result.error()));
}

/// What a field of {"a": …} is read as, by the name of the reader.
QString readAs(const QByteArray& reader, const JsonPlace& place)
{
    const auto shown = [](const auto& result, auto&& show) {
        return result.ok() ? show(result.value()) : errorOf(result);
    };
    const auto text = [](const std::string& value) { return QString::fromStdString(value); };
    const auto number = [](auto value) { return QString::number(value); };
    if (reader == "text") return shown(place.requiredText("a"), text);
    if (reader == "text or") return shown(place.textOr("a", "none"), text);
    if (reader == "integer") return shown(place.requiredInteger("a"), number);
    if (reader == "integer or") return shown(place.integerOr("a", -1), number);
    if (reader == "truth") return shown(place.booleanOr("a", false), number);
    return shown(place.at("a").number(), number);
}

} // namespace

/// What readers of JSON share.
class JsonInputTest : public QObject
{
    Q_OBJECT

private slots:
    void textsThatAreNoJsonAreRefused_data();
    void textsThatAreNoJsonAreRefused();
    void whatIsReadIsWrittenAlike_data();
    void whatIsReadIsWrittenAlike();
    void memoryIsBounded_data();
    void memoryIsBounded();
    void fieldsAreReadWithTheirPlace_data();
    void fieldsAreReadWithTheirPlace();
    void listsAreReadInOrder();
    void objectsAreReadFieldByField();
    void unknownKeysAreKeptAndListed();
};

void JsonInputTest::textsThatAreNoJsonAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("begins");
    QTest::newRow("nothing") << QByteArray(" \n") << "The file is empty: it should hold a JSON object ({…}).";
    QTest::newRow("cut") << QByteArray("{\"a\":\n [1,") << "line 2, column 5: This is not JSON: syntax error";
    QTest::newRow("a key twice") << QByteArray(R"({"a": [{"b": 1}, {"b": 2, "b": 3}]})")
                                 << "a[1].b: The file has this key twice. Leave one out.";
    QTest::newRow("brackets") << QByteArray(201, '[') << "line 1, column 201: Brackets are nested more than 200 deep.";
    QTest::newRow("a key twice in a list of lists")
        << QByteArray(R"([[0, {"a": {}, "b": 1, "a": 2}]])") << "[0][1].a: The file has this key twice.";
    QTest::newRow("more than brackets") << QByteArray("{} {}") << "line 1, column 4: This is not JSON: syntax error";
    QTest::newRow("a number beyond all") << QByteArray("[1e999]")
                                         << "line 1, column 6: This is not JSON we can hold: number overflow";
    QTest::newRow("quoted colons are no keys") << QByteArray(R"({"a:b": "c\":d"})") << "(no error)";
}

void JsonInputTest::textsThatAreNoJsonAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, begins);

    const QString error = errorOf(parseJson(text.toStdString()));

    QVERIFY2(error.startsWith(begins), qPrintable(error));
}

void JsonInputTest::whatIsReadIsWrittenAlike_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* text) { QTest::newRow(text) << QByteArray(text); };
    row("null");
    row("[true,false,null]");
    row("[0,-1,576460752303423487,576460752303423488,-576460752303423487,-576460752303423488,-1152921504606846976]");
    row("[9223372036854775807,-9223372036854775808,18446744073709551615]");
    row("[1.5,-0.0,1e+300,0.1]");
    row(R"(["","a","\"\\\n","\u0000","ü€"])");
    row(R"([[],[[]],{},[{}]])");
    row(R"({"":1,"a":{"b":[],"c":[1,2,{"d":"e"}]},"z":[3,[4,5],6]})");
}

void JsonInputTest::whatIsReadIsWrittenAlike()
{
    QFETCH(QByteArray, text);

    const auto json = parseJson(text.toStdString());

    QVERIFY2(json.ok(), qPrintable(errorOf(json)));
    QCOMPARE(QByteArray::fromStdString(JsonPlace(json.value(), {}).json()), text);
}

void JsonInputTest::memoryIsBounded_data()
{
    QTest::addColumn<QByteArray>("element");
    for (const char* element : {"1,", "{},", "[],", "\"\",", "1.5,", "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]],", "{\"\":0},",
                                "{\"\":{\"\":{\"\":{\"\":[]}}}},", "9000000000000000000,"})
        QTest::newRow(element) << QByteArray(element);
}

void JsonInputTest::memoryIsBounded()
{
    QFETCH(QByteArray, element);
    const std::string text = ('[' + element.repeated(4'000'000 / element.size()) + "0]").toStdString();
    const auto allocated = [] {
        const struct mallinfo2 now = mallinfo2();
        return now.uordblks + now.hblkhd;
    };
    const std::size_t before = allocated();

    const auto json = parseJson(text);

    QVERIFY2(json.ok(), qPrintable(errorOf(json)));
    const double times = static_cast<double>(allocated() - before) / static_cast<double>(text.size());
    QVERIFY2(times < 10, qPrintable(QStringLiteral("%1 times the text").arg(times)));
}

void JsonInputTest::fieldsAreReadWithTheirPlace_data()
{
    QTest::addColumn<QByteArray>("reader");
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* reader, const char* field, const char* expected) {
        QTest::addRow("%s of %s", reader, field) << QByteArray(reader) << QByteArray(field) << expected;
    };
    row("text", R"("x")", "x");
    row("text", "3", "top.a: A text is expected here.");
    row("text", "null", "top: \"a\" is missing.");
    row("text or", "null", "none");
    row("integer", "9223372036854775807", "9223372036854775807");
    row("integer", "9223372036854775808", "top.a: The number does not fit in 63 bits.");
    row("integer", "1.5", "top.a: A whole number is expected here.");
    row("integer", "null", "top: \"a\" is missing.");
    row("integer or", "null", "-1");
    row("truth", "true", "1");
    row("truth", "1", "top.a: true or false is expected here.");
    row("number", R"("-inf")", "-inf");
    row("number", R"("one")", "top.a: A number is expected here, or \"nan\", \"inf\", \"-inf\".");
}

void JsonInputTest::fieldsAreReadWithTheirPlace()
{
    QFETCH(QByteArray, reader);
    QFETCH(QByteArray, field);
    const auto json = parseJson("{\"a\": " + field.toStdString() + "}");
    QVERIFY2(json.ok(), qPrintable(errorOf(json)));

    QTEST(readAs(reader, {json.value(), "top"}), "expected");
}

void JsonInputTest::listsAreReadInOrder()
{
    const auto json = parseJson(R"({"good": [1, 2, 3], "bad": [4, "five", 6], "none": {}})");
    const JsonPlace place(json.value(), {});
    std::vector<std::int64_t> numbers;

    QVERIFY(place.readList("good", numbers, &JsonPlace::integer).ok());
    QVERIFY(place.readList("absent", numbers, &JsonPlace::integer).ok());
    QCOMPARE(numbers, (std::vector<std::int64_t> {1, 2, 3}));
    QCOMPARE(errorOf(place.readList("bad", numbers, &JsonPlace::integer)),
             QStringLiteral("bad[1]: A whole number is expected here."));
    QCOMPARE(errorOf(place.readList("none", numbers, &JsonPlace::integer)),
             QStringLiteral("none: A list is expected here."));
}

void JsonInputTest::objectsAreReadFieldByField()
{
    const auto json = parseJson(R"({"good": {"x": 1, "y": 2}, "bad": {"x": 1, "z": "three"}, "none": []})");
    const JsonPlace place(json.value(), {});
    std::string seen;
    const auto take = [&](const std::string& name, const JsonPlace& field) -> Status {
        PLIMSOLL_ASSIGN(number, field.integer());
        seen += name + std::to_string(number) + " ";
        return {};
    };

    QVERIFY(place.forEachField("good", take).ok());
    QVERIFY(place.forEachField("absent", take).ok());
    QCOMPARE(seen, std::string("x1 y2 "));
    QCOMPARE(errorOf(place.forEachField("bad", take)), QStringLiteral("bad.z: A whole number is expected here."));
    QCOMPARE(errorOf(place.forEachField("none", take)),
             QStringLiteral("none: An object ({…}) is expected here, not a list ([…])."));
}

void JsonInputTest::unknownKeysAreKeptAndListed()
{
    const auto json = parseJson(R"({"known": 1, "odd": [2], "strange": null})");
    const JsonPlace place(json.value(), "top");
    std::vector<std::string> places;

    place.listUnknown({"known"}, places);

    QCOMPARE(places, (std::vector<std::string> {"top.odd", "top.strange"}));
    QCOMPARE(place.unknownFields({"known"}), std::string(R"({"odd":[2],"strange":null})"));
    QCOMPARE(place.unknownFields({"known", "odd", "strange"}), std::string());
}

QTEST_APPLESS_MAIN(JsonInputTest)
#include "tst_json_input.moc"
