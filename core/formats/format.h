#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/formats/graphs_of_file.h"
#include "core/formats/sniff.h"
#include "core/graph/graph.h"
#include "core/plan/plan_file.h"
#include "core/plan/policies.h"

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

struct PackingTable;

/// What is read: a file, or bytes that have none (standard input).
struct FormatInput
{
    FormatInput(std::span<const std::byte> all, std::filesystem::path path = {}, std::string name = {})
        : bytes(all), file(std::move(path)), graph(std::move(name)), content(sniff(bytes))
    {
    }
    template <std::convertible_to<std::string_view> Text>
    FormatInput(const Text& all, std::filesystem::path path = {}, std::string name = {})
        : FormatInput(std::as_bytes(std::span<const char>(std::string_view(all))), std::move(path), std::move(name))
    {
    }

    std::span<const std::byte> bytes;
    std::filesystem::path file; ///< Empty: there is none, and data files beside it are refused.
    std::string graph;          ///< NAME of "FILE#NAME"; empty: none is named.
    Content content;

    [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
    /// What kind of text it is shows there.
    [[nodiscard]] std::string_view head() const { return text().substr(0, SniffedBytes); }
    /// The name of the file without its ending, or \p otherwise.
    [[nodiscard]] std::string stem(std::string_view otherwise = {}) const
    {
        return file.empty() ? std::string(otherwise) : file.stem().string();
    }
};

/// What a graph of a format is planned with where the request does not say otherwise: what its runtime does.
struct Terms
{
    std::optional<std::int64_t> alignment {};    ///< Where the runtime says one.
    BackendPolicy backend = BackendPolicy::Auto; ///< Captured where another runtime executes it.
    /// Of a plan that is given: donate where an input that the caller cannot look at was given away by the file.
    InputsPolicy inputs = InputsPolicy::Protect;
};

/// What a file holds. Notes are the graph's.
struct FormatContent
{
    Graph graph;
    /// The plan that the file brings, or why that is none for all of the graph. Nothing: no such file brings one.
    std::optional<Result<PlanFile>> plan {};
    GraphsOfFile graphs {};

    /// Null where there is none.
    [[nodiscard]] PlanFile* wholePlan() { return plan && plan->ok() ? &plan->value() : nullptr; }
};

/// Bytes by which a file is known.
struct Magic
{
    std::size_t offset = 0;
    std::string_view bytes {}; ///< Empty: there are none.

    [[nodiscard]] bool isIn(std::string_view text) const
    {
        return !bytes.empty() && text.size() >= offset && text.substr(offset).starts_with(bytes);
    }
};

/// One kind of file. Help, file filters, start page, desktop files and the manual's table are made of these rows, which
/// formats.h lists; each stands in its folder, in FOLDER_format.cpp.
struct Format
{
    std::string_view id;           ///< GraphFile::format
    std::string_view title;        ///< "TensorFlow Lite"
    std::string_view name;         ///< "TensorFlow Lite model"
    std::string_view plural;       ///< Id of a sentence: "TensorFlow Lite models".
    std::string_view extensions;   ///< "tflite": its own first, then those that it shares, apart by blanks.
    std::string_view mediaType {}; ///< Of files with its own extension, or empty.
    Magic magic {};
    std::string_view howToGet; ///< Where such a file comes from: sentences, with `code` in backquotes.
    std::string_view plan {};  ///< What becomes of a plan in such a file: "judged"; empty: there is none.
    std::string_view runs {};  ///< What computes its nodes, "kernels"; empty: they cannot be run.
    Terms terms {};
    bool several = false;        ///< One file may hold several graphs, which have names.
    bool typesValues = true;     ///< Its files can say the type of any value.
    bool declaresTraits = false; ///< Its files say themselves which results share bytes with operands.
    bool takesRest = false;      ///< Known by what it is not: asked after all others.

    bool (*recognise)(const FormatInput& input) = nullptr;
    /// One of these two. Of a table of buffers, graph and plan are made as of any other.
    Result<FormatContent> (*read)(const FormatInput& input, const Context& context) = nullptr;
    Result<PackingTable> (*readTable)(const FormatInput& input, std::size_t mostRows) = nullptr;
};

/// Format::read of a format whose files bring no plan.
template <Result<Graph> (*Read)(const FormatInput& input, const Context& context)>
[[nodiscard]] Result<FormatContent> graphAlone(const FormatInput& input, const Context& context)
{
    PLIMSOLL_ASSIGN(graph, Read(input, context));
    return FormatContent {std::move(graph)};
}

/// Format::recognise of one whose files all have its magic.
template <const Format& Row>
[[nodiscard]] bool hasMagic(const FormatInput& input)
{
    return Row.magic.isIn(input.text());
}

} // namespace plimsoll
