#include "app/window/pages/problem_page.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "app/window/pages/file_probe.h"
#include "core/facts/english/english.h"

#include <QClipboard>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

QString titleOf(const QString& opened, const QString& broken, bool usage)
{
    const QString graph = QFileInfo(opened).fileName();
    if (usage) return ProblemPage::tr("%1 cannot be planned as asked").arg(graph);
    if (broken == opened) return ProblemPage::tr("%1 cannot be opened").arg(graph);
    return ProblemPage::tr("%1 does not fit %2").arg(QFileInfo(broken).fileName(), graph);
}

/// A place in a file: "line 3, column 7", "node 'conv1'".
QString placeText(const Error& error)
{
    static const QRegularExpression kind(
        QStringLiteral("\\b(line|column|byte|node|value)\\b(?=[^']*('[^']*'[^']*)*$)"));
    QString text = QString::fromStdString(error.where);
    for (auto match = kind.match(text); match.hasMatch();) {
        const QString word = translated(match.captured().toStdString());
        text.replace(match.capturedStart(), match.capturedLength(), word);
        match = kind.match(text, match.capturedStart() + word.size());
    }
    return text;
}

QString row(const QString& name, const QString& text)
{
    if (text.isEmpty()) return {};
    return QStringLiteral("<tr><td style='padding:3px 18px 3px 0'>%1</td><td style='padding:3px 0'><b>%2</b></td></tr>")
        .arg(name.toHtmlEscaped(), text.toHtmlEscaped());
}

} // namespace

ProblemPage::ProblemPage(QWidget* parent)
    : QWidget(parent), m_title(textLabel("problemTitle", this)), m_message(textLabel("problemMessage", this)),
      m_facts(textLabel("problemFacts", this)), m_excerpt(new QPlainTextEdit(this)), m_mark(new QLabel(this))
{
    setObjectName(QStringLiteral("problem"));
    setAccessibleName(tr("Problem page"));
    m_title->setFont(boldFont(font(), 1.5));
    m_facts->setTextFormat(Qt::RichText);
    for (QLabel* label : {m_title, m_message, m_facts})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_excerpt->setReadOnly(true);
    m_excerpt->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_excerpt->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_excerpt->setAccessibleName(tr("The file around the problem"));
    auto* head = new QHBoxLayout;
    head->setSpacing(14);
    head->addWidget(m_mark, 0, Qt::AlignTop);
    head->addWidget(m_title, 1);
    auto* content = new QWidget(this);
    content->setMaximumWidth(860);
    auto* rows = new QVBoxLayout(content);
    rows->setSpacing(14);
    rows->addLayout(head);
    rows->addWidget(m_message);
    rows->addWidget(m_facts);
    rows->addWidget(m_excerpt, 1);
    rows->addLayout(makeButtons());
    rows->addStretch(1);
    auto* centred = new QHBoxLayout(this);
    centred->setContentsMargins(32, 48, 32, 32);
    centred->addStretch(1);
    centred->addWidget(content, 100);
    centred->addStretch(1);
}

QLayout* ProblemPage::makeButtons()
{
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const char* name, const QString& text, const QString& tip, auto handler) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QString::fromLatin1(name));
        button->setMinimumSize(button->sizeHint() + QSize(16, 4));
        button->setToolTip(tip);
        button->setStatusTip(tip);
        connect(button, &QPushButton::clicked, this, handler);
        buttons->addWidget(button);
    };
    add("tryAnother", tr("Try another…"), tr("Open another file"), &ProblemPage::openRequested);
    add("retry", tr("Try again"), tr("Read the same file again"), &ProblemPage::retryRequested);
    add("copyProblem", tr("Copy report"), tr("Copy all of this as text"),
        [this] { QGuiApplication::clipboard()->setText(m_text); });
    buttons->addStretch(1);
    add("toStart", tr("Start page"), tr("Samples and recent files"), &ProblemPage::startRequested);
    return buttons;
}

void ProblemPage::show(const QString& opened, const Error& error)
{
    // The graph, unless the error is in a plan or another file beside it.
    const QString named = QString::fromStdString(error.file);
    const bool other =
        !named.isEmpty() && QFileInfo(named) != QFileInfo(opened) && QFileInfo(named) != QFileInfo(fileOnDisk(opened));
    const QString file = other ? named : opened;
    const bool usage = error.code == ErrorCode::BadUsage;
    const QString where = QString::fromStdString(error.where);
    const QString message = QString::fromStdString(english(error.message));
    const FileProbe probe = probeFile(file, error);
    const QString excerpt = usage ? QString() : excerptAt(file, where);
    m_mark->setPixmap(iconPixmap(QStringLiteral("findings"), colours().error, 32, devicePixelRatioF()));
    m_title->setText(titleOf(opened, file, usage));
    m_message->setText(message);
    m_facts->setText(QStringLiteral("<table>") + row(tr("Place"), placeText(error)) +
                     (usage ? QString() : row(tr("Looks like"), probe.recognised) + row(tr("Size"), probe.size)) +
                     row(tr("File"), file) + (file == opened ? QString() : row(tr("Graph"), opened)) +
                     row(tr("What to do"), probe.advice) + QStringLiteral("</table>"));
    m_excerpt->setPlainText(excerpt);
    m_excerpt->setVisible(!excerpt.isEmpty());
    m_excerpt->setFixedHeight(m_excerpt->fontMetrics().lineSpacing() * std::max(4, m_excerpt->blockCount() + 1) + 12);
    m_text = tr("Plimsoll cannot open %1\n%2\nPlace: %3\nLooks like: %4 (%5)\nWhat to do: %6\n\n%7")
                 .arg(file, message, placeText(error), probe.recognised, probe.size, probe.advice, excerpt);
}

void ProblemPage::showFine(const QString& file)
{
    m_text = file.isEmpty() ? tr("No file is open.") : tr("Nothing is wrong with this file.");
    m_mark->setPixmap(iconPixmap(QStringLiteral("legal"), colours().good, 32, devicePixelRatioF()));
    m_title->setText(m_text);
    m_message->setText(file.isEmpty() ? QString() : tr("It was read and planned."));
    m_facts->setText(QStringLiteral("<table>") + row(tr("File"), file) + QStringLiteral("</table>"));
    m_excerpt->clear();
    m_excerpt->hide();
}

QString ProblemPage::asText() const
{
    return m_text;
}

} // namespace plimsoll::app
