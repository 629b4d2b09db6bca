#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/app/window/shown_words.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QTest>
#include <QTranslator>

#include <deque>
#include <map>

using namespace plimsoll;

namespace {

/// A third longer, as German and Finnish are, and between brackets: what shows without them was never translated.
QString pseudo(const QString& text)
{
    return u'⟦' + text + QString(text.size() / 3, u'~') + u'⟧';
}

class PseudoTranslator : public QTranslator
{
public:
    [[nodiscard]] QString translate(const char* context, const char* source, const char*, int) const override
    {
        const bool ours = QByteArray(context).startsWith("plimsoll") || context == QByteArray("QObject") ||
                          context == QByteArray("GraphCaption");
        return ours ? pseudo(QString::fromUtf8(source)) : QString();
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

/// The window speaks so while it lives.
class PseudoLanguage
{
public:
    PseudoLanguage()
    {
        const auto kept = [this](const QString& text) -> const std::string& {
            return m_texts.emplace_back(text.toStdString());
        };
        std::vector<Sentence> sentences = englishSentences();
        for (Sentence& sentence : sentences)
            sentence.text = kept(pseudo(QString::fromUtf8(sentence.text.data(), qsizetype(sentence.text.size()))));
        std::vector<Sentence> words;
        for (const QString& word : test::shownWords())
            words.push_back({kept(word), kept(pseudo(word))});
        speak(sentences, words);
        QCoreApplication::installTranslator(&m_translator);
    }
    PseudoLanguage(const PseudoLanguage&) = delete;
    PseudoLanguage& operator=(const PseudoLanguage&) = delete;
    ~PseudoLanguage() { speak({}); }

private:
    std::deque<std::string> m_texts;
    PseudoTranslator m_translator;
};

/// What of a text stands outside of all brackets.
QString outside(const QString& text)
{
    QString left;
    int depth = 0;
    for (const QChar c : text) {
        if (c == u'⟦') ++depth;
        if (depth == 0) left += c;
        if (c == u'⟧') --depth;
    }
    return left;
}

/// Texts that have words of their own outside of all brackets, by where they were found.
class RawTexts
{
public:
    /// \p known are names that a file or a policy has.
    explicit RawTexts(QSet<QString> known) : m_known(std::move(known)) {}

    QStringList found;

    void check(const QString& where, QString text)
    {
        static const QRegularExpression word(QStringLiteral("[A-Za-z_./:0-9-]*[A-Za-z]{3,}[A-Za-z_./:0-9-]*"));
        static const QRegularExpression marks(
            QStringLiteral("<[^>]*>|  \\([^()]*\\)$")); // of HTML; the keys of an action
        // Units, types, kinds of storage, layouts and memories: words of the files.
        static const QRegularExpression notOurs(QStringLiteral(
            "iB$|^float|^int|::|^(csr|row_sparse|dense|plain|cpu|ONNX|CSV|JAX|XLA|first-fit:)$|^(most|size)$"));
        for (auto all = word.globalMatch(outside(text.remove(marks))); all.hasNext();) {
            const QString one = all.next().captured();
            if (m_known.contains(one) || notOurs.match(one).hasMatch()) continue;
            found << where + QStringLiteral(": ") + text.left(120);
            return;
        }
    }

private:
    QSet<QString> m_known;
};

QSet<QString> namesOf(const Report& report)
{
    QSet<QString> names;
    const auto add = [&](std::string_view name) {
        names.insert(QString::fromUtf8(name.data(), qsizetype(name.size())));
    };
    const Graph& graph = *report.program.graph;
    add(graph.name);
    for (const Value& value : graph.values) {
        add(value.name);
        add(describe(value.type));
    }
    for (const Node& node : graph.nodes) {
        add(node.name);
        add(node.op);
        for (const auto& [name, value] : node.attributes)
            add(name);
    }
    return names;
}

/// Values of policies, modes of a run and names of rules are the same in all languages.
QSet<QString> idsOfPolicies()
{
    QSet<QString> ids {QStringLiteral("none"), QStringLiteral("numeric"), QStringLiteral("fingerprint")};
    const auto add = [&](std::string_view id) { ids.insert(QString::fromUtf8(id.data(), qsizetype(id.size()))); };
    for (const PolicyInfo& policy : policyTable()) {
        add(policy.id);
        for (const std::string_view value : policy.values)
            add(value);
    }
    for (std::size_t rule = 0; rule <= static_cast<std::size_t>(Rule::OutOfMemory); ++rule)
        add(ruleId(static_cast<Rule>(rule)));
    return ids;
}

void checkTables(const QAbstractItemView& view, RawTexts& raw)
{
    const QAbstractItemModel* model = view.model();
    if (!model) return;
    const QString where =
        view.objectName().isEmpty() ? QString::fromLatin1(view.metaObject()->className()) : view.objectName();
    for (int column = 0; column < model->columnCount(); ++column) {
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole)}) {
            raw.check(where + QStringLiteral(" header"), model->headerData(column, Qt::Horizontal, role).toString());
            for (int row = 0; row < std::min(30, model->rowCount()); ++row)
                raw.check(where + QStringLiteral(" column ") + QString::number(column),
                          model->index(row, column).data(role).toString());
        }
    }
}

void checkWidget(const QWidget& widget, RawTexts& raw)
{
    QString where =
        widget.objectName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className()) : widget.objectName();
    if (where.startsWith(QStringLiteral("qt_")) || where.startsWith(QStringLiteral("Scroll"))) return; // Qt's own
    for (const QString& text :
         {widget.toolTip(), widget.statusTip(), widget.accessibleName(), widget.accessibleDescription()})
        raw.check(where, text);
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) raw.check(where, label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) raw.check(where, button->text());
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) raw.check(where, field->placeholderText());
    if (const auto* dock = qobject_cast<const QDockWidget*>(&widget)) raw.check(where, dock->windowTitle());
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) checkTables(*view, raw);
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        for (int i = 0; i < box->count(); ++i)
            raw.check(where, box->itemText(i));
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < tabs->count(); ++i) {
            raw.check(where, tabs->tabText(i));
            raw.check(where, tabs->tabToolTip(i));
        }
}

} // namespace

/// Under a language that wraps all it translates, nothing shows that it did not wrap.
class PseudoLocaleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }
    void everyTextIsTranslated_data();
    void everyTextIsTranslated();
};

void PseudoLocaleTest::everyTextIsTranslated_data()
{
    QTest::addColumn<QString>("example");
    for (const char* example : {"", "residual-block.json", "two-streams.json", "sparse-features.json",
                                "frozen-scale.json", "accumulation-loop.json", "broken-cycle.json"})
        QTest::newRow(*example ? example : "start page") << QString::fromLatin1(example);
}

void PseudoLocaleTest::everyTextIsTranslated()
{
    QFETCH(QString, example);

    const PseudoLanguage language;
    test::OpenWindow app;
    app.window.resize(1366, 768);
    app.window.show();
    QSet<QString> names {QStringLiteral("Plimsoll"), QStringLiteral("English"), QStringLiteral("Deutsch"), example,
                         test::exampleFile(example)};
    if (!example.isEmpty()) {
        app.window.open(test::exampleFile(example));
        QTRY_VERIFY(app.window.settled());
    }
    if (const auto report = app.bench.session.report()) names += namesOf(*report);
    RawTexts raw(names + idsOfPolicies());
    for (const QAction* action : app.window.findChildren<QAction*>())
        for (const QString& text : {action->text(), action->toolTip(), action->statusTip()})
            raw.check(QStringLiteral("action ") + action->objectName(), text);
    for (const QWidget* widget : app.window.findChildren<QWidget*>())
        checkWidget(*widget, raw);
    raw.found.removeDuplicates();
    QVERIFY2(raw.found.isEmpty(), qPrintable(raw.found.join(u'\n')));
}

QTEST_MAIN(PseudoLocaleTest)
#include "tst_pseudo_locale.moc"
