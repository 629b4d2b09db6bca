#include "core/base/shared_text.h"

#include <QTest>

#include <set>
#include <string>

using namespace plimsoll;

class SharedTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copiesHaveOneText()
    {
        static_assert(sizeof(SharedText) == sizeof(void*));
        const SharedText op = "Conv";
        SharedText copy = op;
        QCOMPARE(&*copy, &*op);
        copy = "Relu";
        QCOMPARE(*op, std::string("Conv"));
        QVERIFY(SharedText().empty());
    }

    void itReadsLikeAText()
    {
        const SharedText op = std::string_view("Conv");
        const std::string& text = op;
        const std::string_view view = op;
        QVERIFY(text == "Conv" && view == "Conv");
        QVERIFY(op == "Conv" && op == std::string("Conv") && op == std::string_view("Conv") && "Conv" == op);
        QVERIFY(op != "Con" && op != SharedText("Relu") && op == SharedText("Conv"));
        QVERIFY(op->starts_with("Co"));
        QCOMPARE("onnx::" + op + "/" + op, std::string("onnx::Conv/Conv"));
    }

    void itIsOrderedAsTextsAre()
    {
        const std::set<SharedText> words = {"b", "", "a", "b"};
        QCOMPARE(words.size(), std::size_t {3});
        QCOMPARE(**words.rbegin(), std::string("b"));
        QVERIFY(words.begin()->empty());
    }
};

QTEST_GUILESS_MAIN(SharedTextTest)
#include "tst_shared_text.moc"
