#include "core/facts/english/english.h"
#include "core/formats/snapshot/pickle_reader.h"

#include "core/base/bytes.h"
#include "core/formats/snapshot/plain_json.h"

#include "tests/support/pickle_bytes.h"

#include <QtTest>

#include <random>

using namespace plimsoll;

namespace {

using Item = PlainData::Item;
using Kind = PlainData::Kind;

/// As Python prints it; what is nested too deep, or in itself, as "…".
std::string shown(const PlainData& data, Item item, int depth = 6)
{
    if (const auto text = data.asText(item))
        return (item.kind() == Kind::Bytes ? "b'" : "'") + std::string(*text) + "'";
    if (const auto number = data.asInteger(item)) return std::to_string(*number);
    if (const auto number = data.asReal(item)) return QByteArray::number(*number).toStdString();
    if (const auto truth = data.asBool(item)) return *truth ? "True" : "False";
    if (item.kind() == Kind::None) return "None";
    if (item.kind() == Kind::Wide) return "wide";
    if (depth == 0) return "…";
    std::string text;
    PlainData::Walk walk = data.walk(item);
    Item one;
    for (int position = 0; walk.next(one); ++position) {
        const bool isValue = item.kind() == Kind::Dict && position % 2 == 1;
        text += (position == 0 ? "" : isValue ? ": " : ", ") + shown(data, one, depth - 1);
    }
    const char* const brackets = item.kind() == Kind::Dict ? "{}" : item.kind() == Kind::Tuple ? "()" : "[]";
    return brackets[0] + text + brackets[1];
}

QString readAs(const std::string& bytes)
{
    const auto read = readPickle(bytes);
    return QString::fromStdString(read.ok() ? shown(read.value().data, read.value().root) : describe(read.error()));
}

template <std::size_t Size>
QByteArray bytes(const char (&text)[Size])
{
    return {text, static_cast<int>(Size) - 1};
}

/// Nothing in it is refused.
const std::string& sample()
{
    static const std::string made = test::pickleOf(
        R"({"segments": [{"address": 139888439590912, "blocks": [{"size": 512, "state": "inactive"}], "x": null}],
            "numbers": [0, 255, 256, 65536, -1, -5000000000, 1.5, true, false], "segments again": ["size", "state"]})");
    return made;
}

} // namespace

class TestPickleReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainDataIsRead_data();
    void plainDataIsRead();
    void whatAPicklerWritesIsWhatJsonSays();
    void whatIsNoPlainDataIsRefused_data();
    void whatIsNoPlainDataIsRefused();
    void aListMayHoldItself();
    void whatIsSharedIsHeldOnce();
    void aKeyThatIsThereTwiceIsTheLast();
    void whatUnfoldsTooFarIsRefused();
    void noPrefixReadsAsAWhole();
    void damagedBytesNeverCrash();
};

void TestPickleReader::plainDataIsRead_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* name, const QByteArray& pickle, const char* value) {
        QTest::newRow(name) << pickle << QString::fromUtf8(value);
    };
    row("none", bytes("\x80\x02N."), "None");
    row("true", bytes("\x80\x02\x88."), "True");
    row("false", bytes("\x80\x02\x89."), "False");
    row("one byte", bytes("\x80\x02K\xFF."), "255");
    row("two bytes", bytes("\x80\x02M\xFF\xFF."), "65535");
    row("four bytes", bytes("\x80\x02J\xFE\xFF\xFF\xFF."), "-2");
    row("long of no bytes", bytes("\x80\x02\x8A\0."), "0");
    row("long of one byte", bytes("\x80\x02\x8A\1\x80."), "-128");
    row("long of two bytes", bytes("\x80\x02\x8A\2\x80\0."), "128");
    row("long of eight", bytes("\x80\x02\x8A\x08\0\0\0\0\0\0\0\x80."), "-9223372036854775808");
    row("largest", bytes("\x80\x02\x8A\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F."), "9223372036854775807");
    row("long of nine", bytes("\x80\x02\x8A\x09\0\0\0\0\0\0\0\x80\0."), "wide");
    row("long with a long length", bytes("\x80\x02\x8B\1\0\0\0\5."), "5");
    row("real", bytes("\x80\x02G\x3F\xF8\0\0\0\0\0\0."), "1.5");
    row("text", bytes("\x80\x02X\3\0\0\0abc."), "'abc'");
    row("short text", bytes("\x80\x04\x8C\3abc."), "'abc'");
    row("text of many bytes", bytes("\x80\x04\x8D\3\0\0\0\0\0\0\0abc."), "'abc'");
    row("old texts", bytes("\x80\x02U\1aT\1\0\0\0b\x86."), "('a', 'b')");
    row("bytes",
        bytes("\x80\x03"
              "C\1aB\1\0\0\0b\x86."),
        "(b'a', b'b')");
    row("bytes of many bytes", bytes("\x80\x05\x8E\1\0\0\0\0\0\0\0a\x96\1\0\0\0\0\0\0\0b\x86."), "(b'a', b'b')");
    row("tuples", bytes("\x80\x02()K\1\x85K\1K\2\x86K\1K\2K\3\x87(K\1K\2K\3K\4tt."),
        "((), (1), (1, 2), (1, 2, 3), (1, 2, 3, 4))");
    row("lists", bytes("\x80\x02(](K\1K\2e]K\3a(K\4lt."), "([1, 2], [3], [4])");
    row("dictionaries",
        bytes("\x80\x02(}(K\1K\2K\3K\4u}K\5NsK\6(K\7K\x08"
              "dt."),
        "({1: 2, 3: 4}, {5: None}, 6, {7: 8})");
    row("appended in two goes",
        bytes("\x80\x02]q\0(K\1eK\x09"
              "0(K\2K\3e."),
        "[1, 2, 3]");
    row("memo by number", bytes("\x80\x02X\1\0\0\0aq\5(h\5h\5t\x86."), "('a', ('a', 'a'))");
    row("memo by long number", bytes("\x80\x02X\1\0\0\0ar\5\0\0\0j\5\0\0\0\x86."), "('a', 'a')");
    row("memo in order", bytes("\x80\x04]\x94K\1\x94h\0\x87."), "([], 1, [])");
    row("frames", bytes("\x80\x04\x95\2\0\0\0\0\0\0\0N."), "None");
    row("duplicate",
        bytes("\x80\x02K\1"
              "2\x86."),
        "(1, 1)");
    row("popped",
        bytes("\x80\x02K\1K\2"
              "0."),
        "1");
    row("popped to the mark",
        bytes("\x80\x02K\1(K\2K\3"
              "1."),
        "1");
    row("a mark popped", bytes("\x80\x02K\1(0."), "1");
    row("bytes behind the end", bytes("\x80\x02N.\0\0\0"), "None");
}

void TestPickleReader::plainDataIsRead()
{
    QFETCH(QByteArray, pickle);
    QFETCH(QString, value);

    QCOMPARE(readAs(pickle.toStdString()), value);
}

void TestPickleReader::whatAPicklerWritesIsWhatJsonSays()
{
    const std::string json =
        R"({"a": [1, -1, 300, 70000, 139888439590912, 2.5, null, true], "b": {"a": "c"}, "d": []})";
    const auto plain = readPlainJson(json);
    QVERIFY(plain.ok());
    const QString expected = QString::fromStdString(shown(plain.value().data, plain.value().root));

    QCOMPARE(expected,
             QStringLiteral("{'a': [1, -1, 300, 70000, 139888439590912, 2.5, None, True], 'b': {'a': 'c'}, 'd': []}"));
    for (const int protocol : {2, 4})
        QCOMPARE(readAs(test::pickleOf(json, protocol)), expected);
}

void TestPickleReader::whatIsNoPlainDataIsRefused_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const QByteArray& pickle, const char* reason) {
        QTest::newRow(name) << pickle << QString::fromUtf8(reason);
    };
    const struct
    {
        const char* name;
        char code;
    } refused[] = {{"GLOBAL", 'c'},
                   {"STACK_GLOBAL", '\x93'},
                   {"REDUCE", 'R'},
                   {"BUILD", 'b'},
                   {"INST", 'i'},
                   {"OBJ", 'o'},
                   {"NEWOBJ", '\x81'},
                   {"NEWOBJ_EX", '\x92'},
                   {"PERSID", 'P'},
                   {"BINPERSID", 'Q'},
                   {"EXT1", '\x82'},
                   {"EXT2", '\x83'},
                   {"EXT4", '\x84'},
                   {"NEXT_BUFFER", '\x97'},
                   {"EMPTY_SET", '\x8F'},
                   {"FROZENSET", '\x91'},
                   {"READONLY_BUFFER", '\x98'}};
    for (const auto& [name, code] : refused) {
        QTest::newRow(name)
            << bytes("\x80\x04NN") + QByteArray(1, code) + bytes("os\nsystem\n.")
            << QStringLiteral("byte 4: The pickle holds more than plain data: %1 is refused").arg(QLatin1String(name));
    }
    row("no opcode", bytes("\x80\x04\xFF."), "byte 2: This is no pickle, or a damaged one: no opcode is 0xFF.");
    row("protocol 0", bytes("(lp0\n."), "This is no pickle of protocol 2 to 5.");
    row("protocol 6", bytes("\x80\x04\x80\x06N."), "byte 2: Pickles of protocol 2 to 5 are read, not 6.");
    row("nothing to end with", bytes("\x80\x02."), "byte 2: The pickle takes a value where none is.");
    row("brackets open", bytes("\x80\x02(N."), "byte 4: The pickle ends with brackets open.");
    row("below a mark", bytes("\x80\x02N(\x85."), "byte 4: The pickle takes a value where none is.");
    row("no mark", bytes("\x80\x02Nt."), "byte 3: The pickle closes a bracket that is not open.");
    row("appended to a number",
        bytes("\x80\x02K\1K\2"
              "a."),
        "byte 6: The pickle puts values into what holds none.");
    row("set in a list", bytes("\x80\x02]K\1K\2s."), "byte 7: The pickle puts values into what holds none.");
    row("appended to a tuple", bytes("\x80\x02)(K\1e."), "byte 6: The pickle puts values into what holds none.");
    row("appended to what is below a mark", bytes("\x80\x02](K\1a."),
        "byte 6: The pickle takes a value where none is.");
    row("key alone", bytes("\x80\x02}(K\1u."), "byte 6: A key of a dictionary has no value.");
    row("memo before it is told", bytes("\x80\x02h\0."), "byte 2: The pickle refers to what it has not told yet.");
    row("memo of nothing", bytes("\x80\x02q\0."), "byte 2: The pickle takes a value where none is.");
    row("memo far away", bytes("\x80\x02Nr\xFF\xFF\xFF\x7F."),
        "byte 3: The pickle numbers more values than it can hold.");
    row("text of 4 GiB", bytes("\x80\x02X\xFF\xFF\xFF\xFFxyz."),
        "byte 2: The pickle ends in the middle: here it goes on for 4,294,967,295 bytes, and the file for 4.");
    row("text of 16 EiB", bytes("\x80\x04\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFxyz."),
        "byte 2: The pickle ends in the middle: here it goes on for 9,223,372,036,854,775,807 bytes, and the file for "
        "4.");
    row("long of 4 GiB", bytes("\x80\x02\x8B\xFF\xFF\xFF\xFF\1."),
        "byte 2: The pickle ends in the middle: here it goes on for 4,294,967,295 bytes, and the file for 2.");
    row("frame too long", bytes("\x80\x04\x95\3\0\0\0\0\0\0\0N."),
        "byte 2: The pickle ends in the middle: here it goes on for 3 bytes, and the file for 2.");
    row("no end", bytes("\x80\x02N"),
        "byte 3: The pickle ends in the middle: here it goes on for 1 byte, and the file for 0.");
    row("too deep", bytes("\x80\x02") + QByteArray(1001, '('), "byte 1002: Brackets are nested more than 1,000 deep.");
}

void TestPickleReader::whatIsNoPlainDataIsRefused()
{
    QFETCH(QByteArray, pickle);
    QFETCH(QString, reason);

    const QString read = readAs(pickle.toStdString());

    QVERIFY2(read.startsWith(reason), qPrintable(read));
}

void TestPickleReader::aListMayHoldItself()
{
    QCOMPARE(readAs(bytes("\x80\x02]q\0h\0a.").toStdString()), QStringLiteral("[[[[[[…]]]]]]"));
}

/// Each list holds the one before twice: 2^1000 values, were they copied.
void TestPickleReader::whatIsSharedIsHeldOnce()
{
    std::string pickle = "\x80\x02]q";
    pickle += '\0';
    for (int level = 0; level < 1000; ++level)
        pickle += "2\x86";

    pickle += '.';
    const auto read = readPickle(pickle);

    QVERIFY(read.ok());
    QCOMPARE(read.value().data.size(read.value().root), std::size_t {2});
    QVERIFY(read.value().data.bytes() < 64 * pickle.size());
}

void TestPickleReader::aKeyThatIsThereTwiceIsTheLast()
{
    const std::string pickle = bytes("\x80\x02}(U\1aK\1U\1bK\2U\1aK\3u.").toStdString();
    const auto read = readPickle(pickle);

    QVERIFY(read.ok());
    const auto found = read.value().data.find(read.value().root, "a");
    QVERIFY(found.has_value());
    QCOMPARE(read.value().data.asInteger(*found), std::optional<std::int64_t>(3));
    QVERIFY(!read.value().data.find(read.value().root, "c").has_value());
}

/// Each byte makes a tuple of the one before, which takes forty.
void TestPickleReader::whatUnfoldsTooFarIsRefused()
{
    const std::string tuples = "\x80\x02N" + std::string(1'000'000, '\x85') + ".";

    QCOMPARE(readAs(tuples), QStringLiteral("byte 626219: The pickle unfolds to far more than its file."));
}

void TestPickleReader::noPrefixReadsAsAWhole()
{
    for (std::size_t length = 0; length < sample().size(); ++length)
        QVERIFY2(!readPickle(std::string_view(sample()).substr(0, length)).ok(), qPrintable(QString::number(length)));
    QVERIFY(readPickle(sample()).ok());
}

void TestPickleReader::damagedBytesNeverCrash()
{
    const auto seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    int readable = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string damaged = sample();
        for (auto flips = 1 + random() % 4; flips > 0; --flips)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        const auto read = readPickle(damaged);
        if (read.ok()) readable += shown(read.value().data, read.value().root).empty() ? 0 : 1;
    }
    QVERIFY(readable > 0); // a letter of a text, say
}

QTEST_APPLESS_MAIN(TestPickleReader)
#include "tst_pickle_reader.moc"
