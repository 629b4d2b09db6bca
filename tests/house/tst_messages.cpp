#include "core/facts/english/english.h"
#include "tests/house/house_files.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

/// A call of say(): the ids that it may say, and how many arguments it hands over.
struct Call
{
    QStringList ids;
    int arguments = 0;
    int line = 0;
};

qsizetype behindLiteral(const QString& text, qsizetype at)
{
    const QChar quote = text[at];
    for (++at; at < text.size() && text[at] != quote; ++at)
        if (text[at] == u'\\') ++at;
    return at;
}

/// The arguments between the parentheses of a call, as they are written.
QStringList argumentsAt(const QString& text, qsizetype open)
{
    QStringList arguments;
    int depth = 0;
    qsizetype begin = open + 1;
    for (qsizetype at = open; at < text.size(); ++at) {
        const QChar c = text[at];
        if (c == u'"' || c == u'\'') {
            at = behindLiteral(text, at);
        } else if (c == u'(' || c == u'{' || c == u'[') {
            ++depth;
        } else if (c == u')' || c == u'}' || c == u']') {
            if (--depth > 0) continue;
            arguments += text.mid(begin, at - begin).trimmed();
            return arguments;
        } else if (c == u',' && depth == 1) {
            arguments += text.mid(begin, at - begin).trimmed();
            begin = at + 1;
        }
    }
    return arguments;
}

/// Without what a condition compares with: rule == "opaque" ? "merge.opaque" : …
QStringList idsIn(QString argument)
{
    static const QRegularExpression compared(QStringLiteral(R"([=!]= "[^"]*")"));
    static const QRegularExpression literal(QStringLiteral(R"re("([^"]*)")re"));
    QStringList ids;
    for (auto all = literal.globalMatch(argument.remove(compared)); all.hasNext();)
        ids += all.next().captured(1);
    return ids;
}

std::vector<Call> callsOf(const QString& text)
{
    static const QRegularExpression say(QStringLiteral(R"((?<![\w.>:])say\((?!\{))"));
    std::vector<Call> calls;
    for (auto all = say.globalMatch(text); all.hasNext();) {
        const auto match = all.next();
        const QStringList arguments = argumentsAt(text, match.capturedEnd() - 1);
        if (arguments.isEmpty()) continue;
        const int line = static_cast<int>(text.left(match.capturedStart()).count(u'\n')) + 1;
        calls.push_back({idsIn(arguments.first()), static_cast<int>(arguments.size()) - 1, line});
    }
    return calls;
}

/// One more than the highest number of a placeholder; -1 where one below it is missing.
int placeholdersIn(std::string_view sentence)
{
    static const QRegularExpression placeholder(QStringLiteral(R"(\{(\d+)[^}]*\})"));
    QSet<int> numbers;
    int most = 0;
    for (auto all =
             placeholder.globalMatch(QString::fromUtf8(sentence.data(), static_cast<qsizetype>(sentence.size())));
         all.hasNext();) {
        const int number = all.next().captured(1).toInt();
        numbers.insert(number);
        most = std::max(most, number + 1);
    }
    return numbers.size() == most ? most : -1;
}

QHash<QString, QString> templates()
{
    QHash<QString, QString> all;
    for (const Sentence& sentence : englishSentences())
        all.insert(QString::fromUtf8(sentence.id.data(), static_cast<qsizetype>(sentence.id.size())),
                   QString::fromUtf8(sentence.text.data(), static_cast<qsizetype>(sentence.text.size())));
    return all;
}

bool speaks(const QString& file)
{
    return !file.startsWith(QStringLiteral("tests")) && !file.startsWith(QStringLiteral("core/facts/english/"));
}

} // namespace

/// What is said by id has one template each, with as many places as there are arguments.
class Messages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void callsAreRead_data();
    void callsAreRead();
    void everyMessageHasATemplateForItsArguments();
    void everyTemplateIsSaid();
    void noSentenceStandsTwice();
    void noLiteralBecomesAMessage();
    void whatStandsAloneIsASentence();
};

void Messages::callsAreRead_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("ids");
    QTest::addColumn<int>("arguments");
    const auto row = [](const char* code, const char* ids, int arguments) {
        QTest::newRow(code) << QString::fromUtf8(code) << QString::fromUtf8(ids) << arguments;
    };
    row("say(\"a\")", "a", 0);
    row("say(\"a.b\", f(x, y), word::Name {\"p, q\"})", "a.b", 2);
    row("say(many ? \"a\" : \"b\", [&](int i) { return g(i, 1); })", "a b", 1);
    row("say(rule == \"r\" ? \"a\" : \"b\",\n 1, 2, 3)", "a b", 3);
    row("say(way.sentence, 1)", "", 1);
    row("channel.say(\"begin\"); window->say(\"x\"); say({1, \"an error\"}); say(\"b\")", "b", 0);
}

void Messages::callsAreRead()
{
    QFETCH(QString, code);

    const auto calls = callsOf(code);

    QCOMPARE(calls.size(), std::size_t(1));
    QTEST(calls[0].ids.join(u' '), "ids");
    QTEST(calls[0].arguments, "arguments");
}

void Messages::everyMessageHasATemplateForItsArguments()
{
    const QHash<QString, QString> known = templates();
    QStringList wrong;
    int found = 0;
    for (const QString& file : sourceFiles()) {
        if (!speaks(file) || file == QStringLiteral("core/base/message.h")) continue;
        for (const Call& call : callsOf(readFile(file))) {
            for (const QString& id : call.ids) {
                ++found;
                const bool fits = known.contains(id) && placeholdersIn(known[id].toStdString()) == call.arguments;
                if (!fits)
                    wrong += QStringLiteral("%1:%2 '%3' with %4 arguments: %5")
                                 .arg(file)
                                 .arg(call.line)
                                 .arg(id)
                                 .arg(call.arguments)
                                 .arg(known.value(id, QStringLiteral("no template")));
            }
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    QVERIFY(found > 200);
}

void Messages::everyTemplateIsSaid()
{
    static const QRegularExpression literal(QStringLiteral("\"([^\"\\n]*)\""));
    QSet<QString> said;
    for (const QString& file : sourceFiles()) {
        const bool renderer = file == QStringLiteral("core/facts/english/english.cpp");
        if (!speaks(file) && !renderer) continue;
        for (auto all = literal.globalMatch(readFile(file)); all.hasNext();)
            said.insert(all.next().captured(1));
    }
    QStringList unused;
    for (const Sentence& sentence : englishSentences()) {
        const QString id = QString::fromUtf8(sentence.id.data(), static_cast<qsizetype>(sentence.id.size()));
        if (!said.contains(id)) unused += id;
    }
    QVERIFY2(unused.isEmpty(), qPrintable(QStringLiteral("never said: ") + unused.join(QStringLiteral(", "))));
}

void Messages::noSentenceStandsTwice()
{
    QHash<QString, QString> ids;
    QStringList wrong;
    const QHash<QString, QString> known = templates();
    for (auto sentence = known.begin(); sentence != known.end(); ++sentence) {
        QString& other = ids[sentence.value()];
        if (sentence.value().endsWith(u'.') && !other.isEmpty()) wrong += other + u' ' + sentence.key();
        other = sentence.key();
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

/// Message(text) is for what comes from elsewhere: English of our own is a template.
void Messages::noLiteralBecomesAMessage()
{
    static const QRegularExpression literal(QStringLiteral(R"re(\bMessage\s*[({]\s*(?:std::string\s*[({]\s*)?")re"));
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        if (speaks(file) && readFile(file).contains(literal)) wrong += file;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u' ')));
}

/// Messages of errors and findings, what mends them, and notes.
void Messages::whatStandsAloneIsASentence()
{
    static const QRegularExpression alone(QStringLiteral(
        R"re((?:\b(?:message|fix) =|notes\.push_back\(|\bErrorCode::\w+\s*,)[^;"]*\bsay\(\s*"([^"]*)")re"));
    // A rule in front of a colon, and a name such as oneDNN, keep their letters.
    static const QRegularExpression sentence(QStringLiteral("^(?:[A-Z{\"]|[a-z]+[A-Z]|[a-z-]+: ).*[.?…})]$"));
    const QHash<QString, QString> known = templates();
    QStringList wrong;
    int found = 0;
    for (const QString& file : sourceFiles()) {
        if (!speaks(file)) continue;
        for (auto all = alone.globalMatch(readFile(file)); all.hasNext();) {
            const QString text = known.value(all.next().captured(1));
            ++found;
            if (!text.contains(sentence)) wrong += file + QStringLiteral(": ") + text;
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("no sentences:\n") + wrong.join(u'\n')));
    QVERIFY(found > 80);
}

QTEST_GUILESS_MAIN(Messages)
#include "tst_messages.moc"
