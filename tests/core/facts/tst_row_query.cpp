#include "core/facts/tables/row_query.h"

#include "core/facts/english/english.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

using enum ColumnInfo::Kind;

struct Tensor
{
    std::string name;
    std::int64_t bytes = 0;
    std::string role;
    bool planned = true;
};

std::vector<Tensor> tensors(const Plans&)
{
    return {{"x", 4096, "input", false},     {"w", 262144, "parameter", false}, {"conv1", 4096, "intermediate"},
            {"relu1", 2048, "intermediate"}, {"Conv10", 65536, "output"},       {"or", -1, "Intermediate"}};
}

const FactTable& tensorsTable()
{
    static const FactTable table = factTable<Tensor>(
        {.id = "tensors", .title = "Tensors", .empty = "None.", .sortedBy = 1},
        {.rows = tensors, .leads = [](const Report&, const Tensor& tensor) { return tensor.planned; }},
        {{{"Name", "What it is called", Long, 10},
          [](const Report&, const Tensor& tensor) { return cell::text(tensor.name); }},
         {{"Bytes", "", Number, 10}, [](const Report&, const Tensor& tensor) { return cell::bytes(tensor.bytes); }},
         {{"Live range", "", Words, 10}, [](const Report&, const Tensor& tensor) { return cell::text(tensor.role); }},
         {{"Spare", "", Words, 10}, [](const Report&, const Tensor&) { return cell::text(""); }}});
    return table;
}

/// The names of the rows that are picked, "x w".
QString names(const RowQuery& query)
{
    const Report report;
    const std::vector<Tensor> all = tensors({report});
    const auto open = tensorsTable().open({report});
    QStringList found;
    for (const std::uint32_t row : pickRows(query, *open, tensorsTable().columns.size(), briefText))
        found << QString::fromStdString(all[row].name);
    return found.join(u' ');
}

} // namespace

/// What is typed above a table: words and comparisons, `not` and `or`; and what rows are sorted by.
class RowQueryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void rowsAreLeftThatMatch_data();
    void rowsAreLeftThatMatch();
    void itsWordsAreSpoken();
    void rowsSort_data();
    void rowsSort();
    void theFirstRowsAreEnough();
    void columnsWithNothingAreKnown();
    void aStoppedQueryEnds();
};

void RowQueryTest::rowsAreLeftThatMatch_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, const char* text, const char* left, const char* complaint = "") {
        QTest::newRow(name) << QString(text) << QString(left) << QString(complaint);
    };
    row("nothing", "", "x w conv1 relu1 Conv10 or");
    row("blanks", "   ", "x w conv1 relu1 Conv10 or");
    row("a word in any case", "CONV", "conv1 Conv10");
    row("a part of a word", "param", "w");
    row("all words", "conv output", "Conv10");
    row("words that do not meet", "param input", "");
    row("words in quotes are one", "\"conv1 \"", "");
    row("a comparison in quotes is a word", "\"name=w\"", "");
    row("a regular expression", "/conv[0-9]$/", "conv1");
    row("in a column", "name~^(x|w)$", "x w");
    row("not in a column", "not name~[0-9]", "x w or");
    row("no regular expression", "name~( w", "w or", "no regular expression: '(' (missing ): ()");
    row("bytes above", "bytes>4KiB", "w Conv10");
    row("bytes from", "bytes>=4KiB", "x w conv1 Conv10");
    row("bytes below", "bytes<4096", "relu1 or");
    row("exactly so many", "bytes=256KiB", "w");
    row("others than so many", "bytes!=4096", "w relu1 Conv10 or");
    row("a text", "name=w", "w");
    row("any text but one", "name!=x live=input", "");
    row("a text from there on", "name>=relu1", "x w relu1");
    row("the title begun", "by>64KiB", "w");
    row("a title of two words", "liverange=output", "Conv10");
    row("what its tip begins with", "what=w", "w");
    row("a comparison and a word", "bytes<=4KiB input", "x");
    row("and says nothing new", "conv and not bytes>4KiB", "conv1");
    row("not a word", "not conv", "x w relu1 or");
    row("not a comparison", "not bytes>=4KiB", "relu1 or");
    row("not not", "not not relu", "relu1");
    row("either", "relu or input", "x relu1");
    row("or binds less than and", "conv bytes>4KiB or not bytes>0", "Conv10 or");
    row("nothing beside or", "or relu or", "relu1");
    row("no such column", "nonsense>1", "x w conv1 relu1 Conv10 or",
        "no column 'nonsense'; there are 'name', 'bytes', 'live range', 'spare'");
    row("blanks around a sign", "bytes > 4KiB", "w Conv10");
    row("behind it alone", "bytes>= 4KiB conv1", "conv1 Conv10");
    row("before it alone", "not bytes >=4KiB", "relu1 or");
    row("a text behind it", "name = \"conv1\"", "conv1");
    row("words that end in a sign", "conv1> w", "");
    row("no number behind a blank", "bytes > big", "x w conv1 relu1 Conv10 or", "not a number: big");
    row("no number where one is needed", "bytes>big", "x w conv1 relu1 Conv10 or", "not a number: big");
    row("and what stands beside it counts", "bytes>big name=w", "w", "not a number: big");
}

void RowQueryTest::rowsAreLeftThatMatch()
{
    QFETCH(QString, text);
    QFETCH(QString, left);
    QFETCH(QString, complaint);
    const RowFilter filter = readRowFilter(text.toStdString(), tensorsTable());
    QCOMPARE(names({filter, {}, false, false}), left);
    QCOMPARE(QString::fromStdString(english(filter.complaint)), complaint);
}

void RowQueryTest::itsWordsAreSpoken()
{
    speak({}, {{"not", "nicht"}, {"or", "oder"}, {"and", "und"}});
    const QString german = names({readRowFilter("conv und nicht bytes>4KiB oder param", tensorsTable()), {}, false});
    const QString english = names({readRowFilter("conv and not bytes>4KiB or param", tensorsTable()), {}, false});
    speak({});
    QCOMPARE(german, QStringLiteral("w conv1"));
    QCOMPARE(english, german);
}

void RowQueryTest::rowsSort_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("falling");
    QTest::addColumn<bool>("leadersFirst");
    QTest::addColumn<QString>("order");
    QTest::newRow("as they are") << -1 << true << false << "x w conv1 relu1 Conv10 or";
    QTest::newRow("numbers as numbers") << 1 << false << false << "or relu1 x conv1 Conv10 w";
    QTest::newRow("falling, alike as they are") << 1 << true << false << "w Conv10 x conv1 relu1 or";
    QTest::newRow("what leads stands first") << 1 << true << true << "Conv10 conv1 relu1 or w x";
    QTest::newRow("rising, too") << 1 << false << true << "or relu1 conv1 Conv10 x w";
    QTest::newRow("texts in any case") << 0 << false << false << "conv1 Conv10 or relu1 w x";
    QTest::newRow("by case where nothing else differs") << 2 << false << false << "x conv1 relu1 or Conv10 w";
    QTest::newRow("falling, too") << 2 << true << false << "w Conv10 or conv1 relu1 x";
}

void RowQueryTest::rowsSort()
{
    QFETCH(int, column);
    QFETCH(bool, falling);
    QFETCH(bool, leadersFirst);
    QFETCH(QString, order);
    RowQuery query {{}, {}, falling, leadersFirst};
    if (column >= 0) query.sortedBy = static_cast<std::size_t>(column);
    QCOMPARE(names(query), order);
}

void RowQueryTest::theFirstRowsAreEnough()
{
    const Report report;
    const auto open = tensorsTable().open({report});
    const RowQuery query {{}, 1, true, true};
    const auto all = pickRows(query, *open, 4, briefText);
    const auto first = pickRows(query, *open, 4, briefText, {}, 3);
    QCOMPARE(first, std::vector(all.begin(), all.begin() + 3));
}

void RowQueryTest::columnsWithNothingAreKnown()
{
    const Report report;
    const auto open = tensorsTable().open({report});
    QCOMPARE(usedColumns(*open, 4, briefText), (std::vector<bool> {true, true, true, false}));
}

void RowQueryTest::aStoppedQueryEnds()
{
    const Report report;
    const auto open = tensorsTable().open({report});
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(pickRows({}, *open, 4, briefText, stop.get_token()).empty());
}

QTEST_GUILESS_MAIN(RowQueryTest)
#include "tst_row_query.moc"
