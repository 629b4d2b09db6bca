#include "core/facts/english/english.h"

#include "core/base/bytes.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace plimsoll;

namespace {

QString said(const Message& message)
{
    return QString::fromStdString(english(message));
}

/// What a test adds to the templates, for as long as it runs.
class Spoken
{
public:
    explicit Spoken(std::vector<Sentence> more)
    {
        std::vector<Sentence> all = englishSentences();
        all.insert(all.begin(), more.begin(), more.end()); // the first of an id counts
        speak(std::move(all));
    }
    Spoken(const Spoken&) = delete;
    Spoken& operator=(const Spoken&) = delete;
    ~Spoken() { speak({}); }
};

} // namespace

class English : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreWrittenAsTheLanguageDoes()
    {
        const auto texts = [] {
            return formatBytes(1'610'613) + ", " + english(say("bytes", 12'345)) + ", " + formatFixed(12.7, 1);
        };
        QCOMPARE(texts(), std::string("1.54 MiB, 12,345 bytes, 12.7"));
        {
            const Spoken german(std::vector<Sentence> {{"number", "1.234,5"}});
            QCOMPARE(texts(), std::string("1,54 MiB, 12.345 bytes, 12,7"));
        }
        QCOMPARE(texts(), std::string("1.54 MiB, 12,345 bytes, 12.7"));
    }

    void everyIdHasOneTemplate()
    {
        std::set<std::string_view> ids;
        for (const Sentence& sentence : englishSentences())
            QVERIFY2(ids.insert(sentence.id).second, std::string(sentence.id).c_str());
    }

    void argumentsAreShownByTheirKind()
    {
        const Spoken spoken(std::vector<Sentence> {{"all", "{0} {1} {2} {3} {4} {5} {6}"}});
        QCOMPARE(said(say("all", word::Name {"conv 1"}, "f32[2]", 1234, word::Number {1234}, word::Size {2048},
                          Interval {0, 64}, Message())),
                 QStringLiteral("'conv 1' f32[2] 1,234 1234 2.00 KiB [0, 64) "));
    }

    void amountsBringTheirNouns()
    {
        const Spoken spoken(std::vector<Sentence> {{"many", "{0:node} {0:?is|are} {1:step} away"}});
        QCOMPARE(said(say("many", 1, 0)), QStringLiteral("1 node is 0 steps away"));
        QCOMPARE(said(say("many", 2000, 1)), QStringLiteral("2,000 nodes are 1 step away"));
    }

    /// Translations name both forms.
    void nounsMayHaveAPluralOfTheirOwn()
    {
        const Spoken spoken(
            std::vector<Sentence> {{"many", "{0:Knoten|Knoten} {0:?liegt|liegen} {1:Schritt|Schritte} entfernt"}});
        QCOMPARE(said(say("many", 1, 0)), QStringLiteral("1 Knoten liegt 0 Schritte entfernt"));
        QCOMPARE(said(say("many", 2000, 1)), QStringLiteral("2,000 Knoten liegen 1 Schritt entfernt"));
    }

    void sentencesBecomeClauses()
    {
        const Spoken spoken(std::vector<Sentence> {{"outer", "{0:~}; {0:-}; {0}"}, {"inner", "It is {0}."}});
        QCOMPARE(said(say("outer", say("inner", "so"))), QStringLiteral("it is so; It is so; It is so."));
    }

    void listsSayHowManyMore()
    {
        QCOMPARE(said(say("clause", namesOf({"a", "b"}))), QStringLiteral("'a', 'b'"));
        QCOMPARE(said(say("clause", namesOf({"a", "b", "c", "d", "e"}))), QStringLiteral("'a', 'b', 'c' and 2 more"));
        word::List clauses = listOf(
            std::vector<int> {1, 2, 3}, [](int i) { return Message(std::to_string(i)); }, 2);
        clauses.joint = word::List::Joint::Semicolon;
        QCOMPARE(said(say("clause", std::move(clauses))), QStringLiteral("1; 2; and 1 more"));
        const auto joined = [](const std::vector<int>& items, word::List::Joint joint) {
            return said(say("clause", allOf(items, std::identity(), joint)));
        };
        QCOMPARE(joined({1, 2, 3}, word::List::Joint::And), QStringLiteral("1, 2 and 3"));
        QCOMPARE(joined({1, 2, 3}, word::List::Joint::Or), QStringLiteral("1, 2 or 3"));
        QCOMPARE(joined({1}, word::List::Joint::Or), QStringLiteral("1"));
    }

    /// Braces in names are no placeholders.
    void textIsTakenAsItIs()
    {
        QCOMPARE(said(Message("{0} is {1}")), QStringLiteral("{0} is {1}"));
        QCOMPARE(said(say("fix.own-bytes", word::Name {"{0}"})), QStringLiteral("Give '{0}' bytes of its own."));
        QVERIFY(Message(std::string()).empty());
        QCOMPARE(said(Message()), QString());
    }

    void aMessageThatFitsNoTemplateShowsWhatItHas()
    {
        QCOMPARE(said(say("no.such", 7, word::Name {"a"})), QStringLiteral("no.such 7 'a'"));
        QCOMPARE(said(say("fix.own-bytes")), QStringLiteral("fix.own-bytes"));
    }

    void remediesAreWordedByTheFrontEnd()
    {
        const Message fix = say("sentences", say("fix.let-go", Remedy::policy("saved", "exact")),
                                say("remedy.max-stored", Remedy::option("max-stored", "a=…")));
        QCOMPARE(said(fix), QStringLiteral("The policy saved=exact lets it go. say it with --max-stored a=…"));
        const auto button = [](const Remedy& remedy) { return "[" + remedy.what + "]"; };
        QCOMPARE(QString::fromStdString(english(fix, button)),
                 QStringLiteral("The policy [saved] lets it go. say it with [max-stored]"));
        const std::vector<Remedy> remedies = remediesIn(fix);
        QCOMPARE(remedies.size(), std::size_t {2});
        QCOMPARE(remedies[0], Remedy::policy("saved", "exact"));
        QCOMPARE(remedies[1], Remedy::option("max-stored", "a=…"));
        QCOMPARE(optionWords(Remedy::toggle("saved", "exact")), std::string("-p saved=exact"));
        QCOMPARE(optionWords(Remedy::command("explain")), std::string("explain"));
    }

    void messagesAreComparedByWhatTheySay()
    {
        QVERIFY(say("of", "a", 1) == say("of", "a", 1));
        QVERIFY(!(say("of", "a", 1) == say("of", "a", word::Number {1})));
        QVERIFY(!(say("of", "a", 1) == say("and", "a", 1)));
    }
};

QTEST_GUILESS_MAIN(English)
#include "tst_english.moc"
