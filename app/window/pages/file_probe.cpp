#include "app/window/pages/file_probe.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "core/base/characters.h"
#include "core/formats/formats.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <span>

namespace plimsoll::app {
namespace {

QString recognise(const QByteArray& head, const Content& content)
{
    if (!content.known.name.empty()) return toQString(english(content.known.name));
    for (const Format* format : Formats) {
        if (!format->magic.isIn({head.constData(), static_cast<std::size_t>(head.size())})) continue;
        const bool vowel = std::string_view("AEIOU").find(format->name.front()) != std::string_view::npos;
        return (vowel ? translated("an %1") : translated("a %1")).arg(translated(format->name));
    }
    if (content.kind == ContentKind::Json) return translated("JSON text");
    if (content.kind == ContentKind::Text) return translated("text");
    if (head[0] == '\x08' || head[0] == '\x0a' || head[0] == '\x12')
        return translated("binary data that begins as an ONNX file does");
    return translated("binary data of an unknown kind");
}

/// Whether a message, or one that it quotes, is one of those sentences.
bool isOneOf(const Message& message, std::span<const std::string_view> ids)
{
    return std::ranges::find(ids, message.id) != ids.end() ||
           std::ranges::any_of(message.arguments, [&](const Argument& argument) {
               const auto* const part = std::get_if<Message>(&argument.value);
               return part && isOneOf(*part, ids);
           });
}

QString adviceFor(const QByteArray& head, const Content& content, const Error& error)
{
    if (error.code == ErrorCode::BadUsage)
        return translated(
            "The file is fine: mend the option that is named above (--dim, --shape, --max-stored, -p), or leave "
            "it out.");
    if (head.isEmpty()) return translated("The file has no bytes. Was the export interrupted, or is the disk full?");
    if (head.trimmed().startsWith('<'))
        return translated("This is a web page: the download answered with HTML instead of the file.");
    constexpr std::string_view Old[] = {"onnx.bare-graph", "onnx.function-opset"};
    constexpr std::string_view Plans[] = {"graph-json.a-plan"};
    constexpr std::string_view Cut[] = {"executorch.damaged", "hlo.file-damaged", "memory-plan.line",
                                        "npy.header-cut",     "npy.no-npy",       "pickle.cut",
                                        "pickle.ends-open",   "protobuf.cut",     "tflite.damaged"};
    if (isOneOf(error.message, Old))
        return translated("It is whole but in an older form: convert it as said above, or export the model again.");
    if (isOneOf(error.message, Cut))
        return translated(
            "The file may be cut short or damaged: compare its size or checksum with where it came from.");
    if (!content.known.remedy.empty()) return toQString(english(content.known.remedy));
    if (isOneOf(error.message, Plans)) return translated("Open its graph, then this plan beside it.");
    if (error.where.empty())
        return translated("Open another file: %1 can be opened.").arg(windowText(readableFormats()));
    return translated("Mend the place named above, or open another file.");
}

QString textExcerpt(const QByteArray& text, qsizetype at)
{
    const qsizetype offset = std::clamp<qsizetype>(at, 0, text.size());
    const QStringList lines = QString::fromUtf8(text).split(u'\n');
    const qsizetype line = text.left(offset).count('\n');
    const qsizetype begin = text.lastIndexOf('\n', std::max<qsizetype>(offset - 1, 0)) + 1;
    const qsizetype column = QString::fromUtf8(text.mid(begin, offset - begin)).size();
    const auto shown = [](const QString& part) { return toQString(writtenOut(part.toStdString(), "\t")); };
    QString excerpt;
    for (qsizetype i = std::max<qsizetype>(0, line - 2); i < std::min(lines.size(), line + 3); ++i) {
        const QString number = QString::number(i + 1).rightJustified(6) + QStringLiteral(" │ ");
        const qsizetype cut = i == line ? std::max<qsizetype>(0, column - 60) : 0;
        const QString part = lines[i].mid(cut, 110);
        excerpt += number + shown(part) + u'\n';
        if (i == line)
            excerpt += QString(number.size() + shown(part.left(column - cut)).size(), u' ') + QStringLiteral("▲\n");
    }
    return excerpt;
}

/// The bytes around \p at, with a mark under it; from the first one, without a mark, where it is -1.
QString hexExcerpt(QFile& file, qint64 at)
{
    const qint64 first = at < 0 ? 0 : std::max<qint64>(0, (at / 16 - 1) * 16);
    file.seek(first);
    const QByteArray bytes = file.read(64);
    QString excerpt;
    for (qsizetype row = 0; row < bytes.size(); row += 16) {
        const QByteArray line = bytes.mid(row, 16);
        QString readable;
        for (const char c : line)
            readable += c >= 32 && c < 127 ? QChar::fromLatin1(c) : QChar(u'·');
        excerpt += QStringLiteral("%1 │ %2 │ %3\n")
                       .arg(first + row, 10)
                       .arg(QString::fromLatin1(line.toHex(' ')), -47)
                       .arg(readable);
        if (const qint64 inRow = at - first - row; inRow >= 0 && inRow < 16)
            excerpt += QString(13 + inRow * 3, u' ') + QStringLiteral("▲\n");
    }
    return excerpt;
}

} // namespace

FileProbe probeFile(const QString& path, const Error& error)
{
    const QString whole = fileOnDisk(path);
    const QFileInfo info(whole.isEmpty() ? path : whole);
    if (!info.exists())
        return {translated("nothing: there is no such file"),
                {},
                translated("Check the path; the file may have been moved or not yet written.")};
    if (info.isDir()) return {translated("a folder"), {}, translated("Open a file in it.")};
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly))
        return {translated("a file that you may not read"), sizeText(info.size()),
                translated("Check its permissions.")};
    const QByteArray head = file.read(256);
    const Content content = sniff(std::as_bytes(std::span(head.constData(), static_cast<std::size_t>(head.size()))));
    return {recognise(head, content), translated("%1 bytes").arg(countText(info.size())),
            adviceFor(head, content, error)};
}

QString excerptAt(const QString& path, const QString& where)
{
    static const QRegularExpression bytePlace(QStringLiteral(R"(\bbyte (\d+))"));
    static const QRegularExpression linePlace(QStringLiteral(R"(\bline (\d+)(?:, column (\d+))?)"));
    QFile file(fileOnDisk(path));
    if (file.fileName().isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
    const QByteArray head = file.peek(4096);
    const bool text = head.trimmed().startsWith('{') || head.trimmed().startsWith('[');
    if (const auto match = linePlace.match(where); match.hasMatch() && file.size() < (1 << 26)) {
        const QByteArray all = file.readAll();
        qsizetype at = 0;
        for (int line = 1; line < match.captured(1).toInt() && at >= 0; ++line)
            at = all.indexOf('\n', at) + 1;
        return textExcerpt(all, at + std::max(0, match.captured(2).toInt() - 1));
    }
    const auto match = bytePlace.match(where);
    if (!match.hasMatch()) return where.isEmpty() ? hexExcerpt(file, -1) : QString();
    const qint64 at = match.captured(1).toLongLong();
    if (text && file.size() < (1 << 26)) return textExcerpt(file.readAll(), at);
    return hexExcerpt(file, std::min(at, file.size()));
}

} // namespace plimsoll::app
