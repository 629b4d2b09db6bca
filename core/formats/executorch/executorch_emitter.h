#pragma once

#include "core/formats/executorch/executorch_model.h"
#include "core/formats/named_builder.h"
#include "core/plan/plan_file.h"

#include <filesystem>
#include <set>

namespace plimsoll::executorch {

/// Puts one method into a graph by names, and its memory plan beside it. Kernels write into tensors that are handed to
/// them (the last ones, which are named again behind, several of them in a list); each writing is a value of its own:
///
///     aten::add.out(v0, v1, v2, v2)   v2 = aten::add.out(v0, v1)
///     aten::mul_.Tensor(v2, v0, v2)   v2#2 = aten::mul_.Tensor(v2, v0), a new version of v2
class Emitter
{
public:
    /// \p file: where the program is, for bytes that stay there; empty for a program in memory.
    /// \p room: of the file.
    Emitter(const Program& program, std::size_t method, std::filesystem::path file, const Context& context,
            ReadingRoom room);

    [[nodiscard]] Result<Graph> run(std::string name);

    /// After run(): every value at the place that the method gives it, in memories of the size that it states. Results
    /// without a place lie in buffers that the caller brings.
    [[nodiscard]] PlanFile plan() const;

private:
    /// One kernel or delegate, its lists of tensors written out.
    struct Site
    {
        const Call& call;
        std::string place;
        bool over = false;           ///< It writes over its first argument: "aten::mul_".
        std::vector<int> read;       ///< Values, in the order of the signature.
        std::vector<int> written;    ///< The same.
        std::int64_t workspaces = 0; ///< So many of the last ones are room to work in.
    };
    [[nodiscard]] const Tensor* tensor(int value) const;
    /// "methods[0] 'forward', calls[3] 'aten::add.out'"
    [[nodiscard]] std::string placeOf(std::size_t call) const;
    [[nodiscard]] Error error(std::size_t call, Message message) const;
    [[nodiscard]] std::string nameOf(int value) const;
    void addInputs();
    Status addCall(std::size_t number);
    Status addNode(const Site& site, std::size_t number);
    Status move(int from, int to, std::size_t number);
    Status takeLists();
    Status takeNames(std::size_t count, std::size_t call);
    [[nodiscard]] Site siteOf(std::size_t number) const;
    /// Arguments with lists of tensors written out, without what is no tensor.
    [[nodiscard]] std::vector<int> tensorsOf(const List& args) const;
    /// How many arguments at the end of a kernel's name again what stands before them: its results.
    [[nodiscard]] std::size_t countReturned(const List& args) const;
    void takeResults(Site& site) const;
    void takeScratch(Site& site);
    void countUses();
    [[nodiscard]] bool isMade(int value) const;
    [[nodiscard]] bool isScratch(const Site& site, int value) const;
    /// For what no call makes: the value that was written last at exactly its place.
    [[nodiscard]] std::optional<int> under(int value) const;
    /// What a value is called now; several names where paths meet.
    std::vector<std::string> current(int value);
    std::string addSource(int value);
    void define(const Site& site, int value, NamedNode& node);
    /// The value is called that from here on.
    void write(int value, std::string name);
    void placeAt(const Tensor& tensor, const std::string& name);
    [[nodiscard]] NamedValue namedValue(int value);

    const Program& m_program;
    const Method& m_method;
    std::filesystem::path m_file;
    NamedBuilder m_build;
    std::vector<std::vector<std::string>> m_names;      ///< By value: what it is called now.
    std::vector<int> m_uses;                            ///< By value: how many calls name it.
    std::map<std::pair<Place, std::int64_t>, int> m_at; ///< By place and bytes: the value that was written there last.
    std::vector<PlanFile::Entry> m_entries;
    std::set<std::string> m_unplaced; ///< What kernels make without a place, and no output yet.
    bool m_jumps = false;
    std::set<int> m_views; ///< Values that nothing makes, each noted once.
};

} // namespace plimsoll::executorch
