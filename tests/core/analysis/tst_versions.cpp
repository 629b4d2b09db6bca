#include "core/analysis/versions.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "value saver reader" for each tensor that is kept, separated by commas.
QString clashes(const QByteArray& text, const QByteArray& kept)
{
    const Graph graph = test::graphFromText(text.constData());
    const auto node = [&](const QByteArray& name) { return findNode(graph, name.toStdString()); };
    std::vector<SavedTensor> saved;
    for (const QByteArray& one : kept.split(',')) {
        const QList<QByteArray> words = one.split(' ');
        SavedTensor tensor;
        tensor.value = findValue(graph, words[0].toStdString());
        tensor.savedBy = node(words[1]);
        tensor.readBy = node(words[2]);
        saved.push_back(tensor);
    }
    QStringList all;
    for (const VersionClash& clash : findVersionClashes(graph, scheduleInCapturedOrder(graph), saved))
        all << QStringLiteral("%1: %2 to %3 by %4")
                   .arg(QString::fromStdString(graph[saved[clash.saved].value].name))
                   .arg(clash.expected)
                   .arg(clash.found)
                   .arg(QString::fromStdString(graph[clash.writer].name));
    return all.join(QStringLiteral(", "));
}

} // namespace

/// Writes between saving and reading, as PyTorch's version counters tell of them.
class VersionsTest : public QObject
{
    Q_OBJECT

private slots:
    void writesInBetweenAreCounted_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("kept");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& graph, const char* kept, const char* expected) {
            QTest::newRow(name) << graph << QByteArray(kept) << QString::fromLatin1(expected);
        };
        const QByteArray head = "input x float32[4]\na: y = Exp(x)\n";
        const QByteArray tail = "r: z = Neg(x)\nq: w = Neg(x)\noutput z w\n";
        const QByteArray once = head + "m: v = plimsoll::Relu_(y)\n" + tail;
        const QByteArray twice = head + "m: v = plimsoll::Relu_(y)\nn: u = plimsoll::Relu_(v)\n" + tail;
        const QByteArray viewed = head +
                                  "s: v = my::Part(y) alias=0:view:0:8\nvalue v float32[2]\n"
                                  "m: u = my::Set(v) alias=0:mutates:0\nvalue u float32[2]\n" +
                                  tail;
        const QByteArray copied = head + "c: v = Neg(y)\nm: u = plimsoll::Relu_(v)\n" + tail;
        const QByteArray family = head + "m: v = plimsoll::Relu_(y)\nr: z = Neg(x)\nn: u = plimsoll::Relu_(v)\n"
                                         "q: w = Neg(x)\noutput z w\n";
        row("nothing writes", copied, "y a r", "");
        row("a write in between", once, "y a r", "y: 0 to 1 by m");
        row("the version that is saved is the newer one", once, "v m r", "");
        row("by its older name, but saved after the write", once, "y m r", "");
        row("read before the write", once, "y a m", "");
        row("two writes, and the first is named", twice, "y a r", "y: 0 to 2 by m");
        row("one of two is behind it", twice, "v m r", "v: 1 to 2 by n");
        row("beside the saved bytes, in the same family", viewed, "y a r", "y: 0 to 1 by m");
        row("a view is in the family of its base", viewed, "v s r", "v: 0 to 1 by m");
        row("what is written is a copy", copied, "v c r", "v: 0 to 1 by m");
        row("in the order in which they are read", family, "y a q,y a r", "y: 0 to 1 by m, y: 0 to 2 by m");
        row("one of several", once, "x a r,y a r", "y: 0 to 1 by m");
    }
    void writesInBetweenAreCounted()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, kept);
        QTEST(clashes(graph, kept), "expected");
    }

    void whatIsNotKeptCannotClash()
    {
        const Graph graph =
            test::graphFromText("input x float32[4]\na: y = Exp(x)\nm: v = plimsoll::Relu_(y)\noutput v\n");
        QVERIFY(findVersionClashes(graph, scheduleInCapturedOrder(graph), {}).empty());
    }
};

QTEST_APPLESS_MAIN(VersionsTest)
#include "tst_versions.moc"
