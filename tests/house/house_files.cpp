#include "tests/house/house_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

namespace plimsoll::test {
namespace {

/// The text with comments, directives of the preprocessor, string and character literals blanked out; line breaks stay.
QString withoutLiterals(const QString& text)
{
    static const QRegularExpression literal(
        QStringLiteral(
            R"lit(R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*(?:.|\n)*?\*/|^[ \t]*#(?:\\\n|[^\n])*)lit"),
        QRegularExpression::MultilineOption);
    QString blank = text;
    auto matches = literal.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        // A digit separator (1'000) is no character literal.
        if (match.captured().startsWith(u'\'') && match.capturedStart() > 0 &&
            text[match.capturedStart() - 1].isDigit())
            continue;
        for (qsizetype i = match.capturedStart(); i < match.capturedEnd(); ++i) {
            if (blank[i] != u'\n') blank[i] = u' ';
        }
    }
    return blank;
}

/// What an opening brace opens, by the statement in front of it.
bool opensFunction(const QString& head)
{
    static const QRegularExpression notFunction(QStringLiteral(
        R"(^\s*(?:(?:template\s*<[^{}]*>\s*)?(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b|$))"));
    return head.contains(u'(') && !notFunction.match(head.trimmed()).hasMatch() && !head.trimmed().endsWith(u'=');
}

/// Where the brace closes that opens at \p open; the end of the text where none does.
qsizetype closing(const QString& code, qsizetype open)
{
    int depth = 0;
    for (qsizetype i = open; i < code.size(); ++i) {
        depth += code[i] == u'{' ? 1 : code[i] == u'}' ? -1 : 0;
        if (depth == 0) return i;
    }
    return code.size();
}

/// Counts what one statement of a class body declares: data, or a function.
void countDeclaration(QString statement, ClassSize& size)
{
    static const QRegularExpression access(QStringLiteral(R"((?:public|protected|private)(?:\s+\w+)?\s*:|Q_OBJECT)"));
    static const QRegularExpression angles(QStringLiteral("<[^<>]*>"));
    static const QRegularExpression other(
        QStringLiteral(R"(^(?:using|friend|typedef|static|enum|class|struct|union|inline static)\b)"));
    statement.remove(access);
    for (qsizetype before = -1; before != statement.size();) {
        before = statement.size();
        statement.remove(angles);
    }
    statement = statement.section(u'=', 0, 0).trimmed();
    if (statement.isEmpty() || statement.contains(other)) return;
    if (statement.contains(u'(') || statement.contains(QStringLiteral("operator")))
        size.program = true;
    else
        size.members += 1 + static_cast<int>(statement.count(u','));
}

/// Reads the body of a class between its braces, those of its functions and initialisers left out.
void measureBody(const QString& code, qsizetype open, qsizetype close, ClassSize& size)
{
    QString statement;
    for (qsizetype i = open + 1; i < close; ++i) {
        if (code[i] == u'{') {
            i = closing(code, i);
            if (!statement.contains(u'(')) continue; // an initialiser, or a type: its semicolon follows
        }
        if (code[i] == u';' || code[i] == u'}') {
            countDeclaration(statement, size);
            statement.clear();
        } else {
            statement += code[i];
        }
    }
}

QString nameIn(const QString& head)
{
    static const QRegularExpression name(QStringLiteral(R"(([\w:~]+)\s*\()"));
    return name.match(head).captured(1);
}

} // namespace

QStringList sourceFiles()
{
    const QDir root(QStringLiteral(PLIMSOLL_SOURCE_DIR));
    QStringList files;
    for (const char* folder : {"app", "core", "kernels", "tests"}) {
        QDirIterator entries(root.filePath(QString::fromLatin1(folder)),
                             {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.cu")}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (entries.hasNext())
            files += root.relativeFilePath(entries.next());
    }
    files.sort();
    return files;
}

QString readFile(const QString& path)
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/") + path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll());
}

Includes includesOf(const QString& path)
{
    static const QRegularExpression include(QStringLiteral(R"(^\s*#\s*include\s*(["<])([^">]+)[">])"),
                                            QRegularExpression::MultilineOption);
    Includes found;
    auto matches = include.globalMatch(readFile(path));
    while (matches.hasNext()) {
        const auto match = matches.next();
        (match.captured(1) == QStringLiteral("\"") ? found.own : found.foreign) += match.captured(2);
    }
    return found;
}

std::vector<FunctionSize> functionsOf(const QString& text)
{
    const QString code = withoutLiterals(text);
    std::vector<FunctionSize> functions;
    int line = 1;
    int headLine = 1;
    int depth = 0; // braces inside the function that is open
    bool inside = false;
    QString head;
    for (const QChar c : code) {
        if (c == u'\n') ++line;
        if (inside) {
            depth += c == u'{' ? 1 : c == u'}' ? -1 : 0;
            if (depth > 0) continue;
            functions.back().lines = line - functions.back().line + 1;
            inside = false;
            head.clear();
            continue;
        }
        if (c == u'{' && opensFunction(head)) {
            functions.push_back({nameIn(head), headLine, 0});
            inside = true;
            depth = 1;
        } else if (c == u'{' || c == u'}' || c == u';') {
            head.clear();
        } else {
            if (head.trimmed().isEmpty()) headLine = line;
            head += c;
        }
    }
    return functions;
}

std::vector<ClassSize> classesOf(const QString& text)
{
    static const QRegularExpression head(
        QStringLiteral(
            R"(^[ \t]*(?:template\s*<[^;{}]*>\s*)?(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?:\s+final)?(?:\s*:[^;{}()]*)?\s*\{)"),
        QRegularExpression::MultilineOption);
    const QString code = withoutLiterals(text);
    std::vector<ClassSize> classes;
    auto heads = head.globalMatch(code);
    while (heads.hasNext()) {
        const auto match = heads.next();
        const qsizetype open = match.capturedEnd() - 1;
        const qsizetype close = closing(code, open);
        ClassSize size {match.captured(1), 1 + static_cast<int>(code.first(match.capturedStart(1)).count(u'\n'))};
        size.lines =
            1 + static_cast<int>(code.mid(match.capturedStart(1), close - match.capturedStart(1)).count(u'\n'));
        measureBody(code, open, close, size);
        classes.push_back(size);
    }
    return classes;
}

std::vector<int> narrowedSizesOf(const QString& text)
{
    static const QRegularExpression cast(QStringLiteral(
        R"(\bstatic_cast<(?:int|unsigned|unsigned int|short|(?:std::)?u?int(?:8|16|32)_t|qint32|quint32)>\()"));
    static const QRegularExpression size(QStringLiteral(R"(\bs?size\(|\b(?:c?r?begin|c?r?end)\(\))"));
    const QString code = withoutLiterals(text);
    std::vector<int> lines;
    auto matches = cast.globalMatch(code);
    while (matches.hasNext()) {
        const qsizetype begin = matches.next().capturedEnd();
        qsizetype end = begin;
        for (int depth = 1; depth > 0 && end < code.size(); ++end)
            depth += code[end] == u'(' ? 1 : code[end] == u')' ? -1 : 0;
        if (!size.match(code.mid(begin, end - begin)).hasMatch()) continue;
        lines.push_back(static_cast<int>(QStringView(code).first(begin).count(u'\n')) + 1);
    }
    return lines;
}

} // namespace plimsoll::test
