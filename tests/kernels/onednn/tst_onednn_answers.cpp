#include "core/lower/types/infer_types.h"
#include "kernels/onednn/onednn.h"
#include "tests/support/graph_text.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

/// Part of a graph with inputs and outputs of its own; "%" stands for its number.
constexpr std::string_view Parts[] = {
    // the same three times, but for names
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\nr%: b% = Relu(a%)\noutput b%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\nr%: b% = Relu(a%)\noutput b%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, v) pads=[1,1,1,1]\nr%: b% = Relu(a%)\noutput b%\n",
    // another operation behind it, none, one that is read elsewhere, too
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\nr%: b% = Softplus(a%)\noutput b%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\noutput a%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\nr%: b% = Relu(a%)\noutput a% b%\n",
    // a sum with what it read, and with what is read nowhere else
    "input x% float32[1,22,14,14]\nt%: z% = Tanh(x%)\nc%: a% = Conv(z%, w) pads=[1,1,1,1]\n"
    "s%: b% = Add(a%, z%)\noutput b%\n",
    "input x% float32[1,22,14,14]\nt%: z% = Tanh(x%)\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\n"
    "s%: b% = Add(a%, z%)\noutput b%\n",
    // weights that are known during the run only
    "input x% float32[1,22,14,14]\ninput w% float32[22,22,3,3]\nc%: a% = Conv(x%, w%) pads=[1,1,1,1]\noutput a%\n",
    // attributes alone
    "input x% float32[1,22,14,14]\nc%: a% = Resize(x%, _, scales) mode=\"nearest\" nearest_mode=\"floor\" "
    "coordinate_transformation_mode=\"asymmetric\"\noutput a%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Resize(x%, _, scales) mode=\"cubic\"\noutput a%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Resize(x%, _, scales) mode=\"linear\"\noutput a%\n",
    // contents alone
    "input x% float32[1,22,14,14]\nc%: a% = Clip(x%, zero, six)\noutput a%\n",
    "input x% float32[1,22,14,14]\nc%: a% = Clip(x%, zero, infinite)\noutput a%\n",
    "input x% float32[1,22,14,14]\ninput m% float32[]\nc%: a% = Clip(x%, zero, m%)\noutput a%\n",
    "input x% uint8[1,22,14,14]\nc%: a% = QLinearConv(x%, small, zeroU, weights, one, zeroS, one, zeroU) "
    "pads=[1,1,1,1]\noutput a%\n",
    "input x% uint8[1,22,14,14]\nc%: a% = QLinearConv(x%, large, zeroU, weights, one, zeroS, one, zeroU) "
    "pads=[1,1,1,1]\noutput "
    "a%\n",
    // one tensor twice, or two
    "input x% float32[1,22,14,14]\nc%: a% = Add(x%, x%)\noutput a%\n",
    "input x% float32[1,22,14,14]\ninput z% float32[1,22,14,14]\nc%: a% = Add(x%, z%)\noutput a%\n",
    // what comes in another layout
    "input x% float32[1,22,14,14]\nc%: a% = Conv(x%, w) pads=[1,1,1,1]\np%: b% = MaxPool(a%) kernel_shape=[3,3]\n"
    "output b%\n",
    "input x% float32[1,22,14,14]\np%: b% = MaxPool(x%) kernel_shape=[3,3]\noutput b%\n",
};

constexpr std::string_view Known = "param w float32[22,22,3,3]\nparam v float32[22,22,3,3]\n"
                                   "const scales float32[4] = 1 1 2 2\nconst zero float32[] = 0\n"
                                   "const six float32[] = 6\nconst infinite float32[] = inf\n"
                                   "param one float32[] = 0.0001\nparam small float32[] = 0.0002\nparam large "
                                   "float32[] = 6\nconst zeroU uint8[] = 0\nconst zeroS int8[] = 0\n"
                                   "param weights int8[22,22,3,3]\n";

std::string numbered(std::string_view part, std::size_t number)
{
    return QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()))
        .replace(u'%', QString::number(number))
        .toStdString();
}

Catalogue described(const std::string& text)
{
    const Graph graph = inferTypes(test::graphFromText(text), {}, {}).value().graph;
    return describeWithOneDnn(graph, false, {});
}

} // namespace

/// What is asked once for all that are alike is what each would have been told.
class TestOneDnnAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }

    void whatIsAlikeGetsTheAnswersOfItsOwn()
    {
        std::string all(Known);
        for (std::size_t i = 0; i < std::size(Parts); ++i)
            all += numbered(Parts[i], i);
        const Catalogue together = described(all);
        std::size_t offers = 0;
        for (std::size_t i = 0; i < std::size(Parts); ++i) {
            const Catalogue alone = described(std::string(Known) + numbered(Parts[i], i));
            for (const auto& [node, own] : alone.offers) {
                QVERIFY2(together.offers.contains(node), numbered(Parts[i], i).c_str());
                QVERIFY2(together.offers.at(node) == own, numbered(Parts[i], i).c_str());
            }
            offers += alone.offers.size();
        }
        QCOMPARE(together.offers.size(), offers);
        QVERIFY(offers > std::size(Parts));
    }
};

QTEST_APPLESS_MAIN(TestOneDnnAnswers)
#include "tst_onednn_answers.moc"
