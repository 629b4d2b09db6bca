#pragma once

#include <map>
#include <string>
#include <vector>

namespace plimsoll::test {

/// Writes symbol files of MXNet node by node, as its own exporter would.
class SymbolWriter
{
public:
    enum class Dialect {
        Attrs, ///< 1.x: "attrs", entries of three numbers, a row pointer.
        Attr,  ///< 0.9 to 0.12: "attr".
        Param, ///< Up to 0.8: "param", entries of two numbers, no row pointer, auxiliary states left out.
    };
    struct Entry
    {
        int node = 0;
        int output = 0;
        int version = 0; ///< 1 for auxiliary state.
    };
    using Attributes = std::map<std::string, std::string>;

    explicit SymbolWriter(Dialect dialect = Dialect::Attrs) : m_dialect(dialect) {}

    Entry variable(const std::string& name, const Attributes& attributes = {});
    Entry node(const std::string& op, const std::string& name, const std::vector<Entry>& inputs,
               const Attributes& attributes = {}, int outputs = 1);
    /// A node with nested graphs, each the text of another writer.
    Entry owner(const std::string& op, const std::string& name, const std::vector<Entry>& inputs,
                const Attributes& attributes, const std::vector<std::string>& subgraphs, int outputs = 1);

    struct Window
    {
        int kernel = 1;
        int stride = 1;
        int pad = 0;
    };
    Entry convolution(const std::string& name, Entry data, int filters, Window window, int groups = 1,
                      bool bias = false);
    Entry batchNorm(const std::string& name, Entry data); ///< Three outputs, two of them hidden.
    Entry relu(const std::string& name, Entry data);
    Entry pooling(const std::string& name, Entry data, const std::string& type, Window window,
                  const std::string& convention = "valid");
    Entry globalPooling(const std::string& name, Entry data);
    Entry classifier(Entry data, int classes); ///< Flatten, FullyConnected, SoftmaxOutput with its label.
    /// Convolution, BatchNorm and Activation, named NAME, NAME_bn and NAME_relu.
    Entry convolved(const std::string& name, Entry data, int filters, Window window, int groups = 1);

    [[nodiscard]] int nodes() const { return static_cast<int>(m_nodes.size()); }
    [[nodiscard]] std::string text(const std::vector<Entry>& heads) const;

private:
    Entry add(const std::string& op, const std::string& name, const std::string& rest, int outputs);
    [[nodiscard]] std::string entries(const std::vector<Entry>& entries) const;
    [[nodiscard]] std::string attributesText(const Attributes& attributes) const;

    Dialect m_dialect;
    std::vector<std::string> m_nodes;
    std::vector<int> m_variables;
    std::vector<int> m_rows = {0}; ///< The first entry of each node, and one behind the last.
};

/// Networks as they are exported: of classifiers one head, data "data", label "softmax_label".
namespace symbols {
/// Eight blocks of two convolutions: 174 nodes.
[[nodiscard]] std::string resnet18(SymbolWriter::Dialect dialect = SymbolWriter::Dialect::Attr);
/// Bottlenecks whose channels are weighed by what a small network makes of their means; \p blocks by stage.
[[nodiscard]] std::string squeezeExcite(const std::vector<int>& blocks);
/// Depthwise and pointwise convolutions in turn.
[[nodiscard]] std::string mobilenet(SymbolWriter::Dialect dialect = SymbolWriter::Dialect::Attrs);
/// Every layer reads all before it, by Concat.
[[nodiscard]] std::string densenet(int blocks, int layers);
/// Four branches that Concat joins, one after the other.
[[nodiscard]] std::string inception(int blocks);
/// Forty residual blocks of two or three branches each, scaled before they are added: Inception-ResNet v2, 902
/// operators.
[[nodiscard]] std::string inceptionResnet();
/// Boxes and scores at several scales. Heads: classes, scores, boxes, the scores again, and data itself.
[[nodiscard]] std::string detector(int scales);
/// Loops over the rows of "data" [rows, 8], one after the other, each with a partition in its body. Heads: the last
/// rows, the last state twice.
[[nodiscard]] std::string recurrent(int loops);
} // namespace symbols

} // namespace plimsoll::test
