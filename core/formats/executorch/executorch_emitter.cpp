#include "core/formats/executorch/executorch_emitter.h"

#include "core/base/narrow.h"
#include "core/formats/bad_input.h"
#include "core/ops/dialects/arena_rules.h"

#include <algorithm>

namespace plimsoll::executorch {
namespace {

std::int64_t bytesOf(const Tensor& tensor)
{
    return tensor.type.bytes().value_or(0);
}

/// So many results of one kernel are looked for one by one; more of them stand in a list.
constexpr std::size_t MostReturned = 64;

} // namespace

Emitter::Emitter(const Program& program, std::size_t method, std::filesystem::path file, const Context& context,
                 ReadingRoom room)
    : m_program(program), m_method(program.methods[method]), m_file(std::move(file)),
      m_build(Dialect, context,
              {"note.executorch-weights", "note.executorch-views", "note.executorch-scratch", "note.executorch-bounded",
               "note.executorch-delegates"},
              room),
      m_names(m_method.values.size())
{
    m_build.graph.place = "methods[" + std::to_string(method) + "] '" + m_method.name + "'";
    m_jumps = std::any_of(m_method.calls.begin(), m_method.calls.end(),
                          [](const Call& call) { return call.kind == CallKind::Jump; });
}

Result<Graph> Emitter::run(std::string name)
{
    PLIMSOLL_TRY(takeLists());
    countUses();
    addInputs();
    for (std::size_t i = 0; i < m_method.calls.size(); ++i) {
        PLIMSOLL_TRY(checkStopped(m_build.context));
        PLIMSOLL_TRY(addCall(i));
    }
    for (const int output : tensorsOf(m_method.outputs)) {
        for (std::string& result : current(output)) {
            const bool known = tensor(output)->type.bytes().has_value();
            if (!tensor(output)->place && known && m_unplaced.erase(result) > 0)
                m_entries.push_back({result, {}, 0, bytesOf(*tensor(output)), result});
            m_build.graph.outputs.push_back(std::move(result));
        }
    }
    if (m_jumps) m_build.notes.push_back(say("note.executorch-jumps"));
    return m_build.finish(std::move(name), {{Dialect, std::max<std::int64_t>(m_program.version, 1)}});
}

/// Before any list is written out: a call names one with one number.
Status Emitter::takeLists()
{
    for (std::size_t i = 0; i < m_method.calls.size(); ++i) {
        const Call& call = m_method.calls[i];
        for (const int arg : call.kind == CallKind::Jump ? List() : call.args) {
            const auto* list = std::get_if<List>(&m_method.values[static_cast<std::size_t>(arg)]);
            PLIMSOLL_TRY(takeNames(list ? list->size() : 1, i));
        }
    }
    return {};
}

Status Emitter::takeNames(std::size_t count, std::size_t call)
{
    m_build.room.take(count * ReadingRoom::Name);
    return m_build.room.isFull() ? Status(error(call, ReadingRoom::refusal())) : Status();
}

const Tensor* Emitter::tensor(int value) const
{
    return value < 0 ? nullptr : std::get_if<Tensor>(&m_method.values[static_cast<std::size_t>(value)]);
}

std::string Emitter::placeOf(std::size_t call) const
{
    const Call& made = m_method.calls[call];
    return m_build.graph.place + ", calls[" + std::to_string(call) + "] '" + made.library + "::" + made.op + "'";
}

Error Emitter::error(std::size_t call, Message message) const
{
    return {ErrorCode::Unsupported, std::move(message), placeOf(call), {}};
}

std::string Emitter::nameOf(int value) const
{
    const Tensor* named = tensor(value);
    return named && !named->name.empty() ? named->name : "v" + std::to_string(value);
}

NamedValue Emitter::namedValue(int value)
{
    const Tensor& from = *tensor(value);
    NamedValue to = m_build.value(nameOf(value), from.type);
    m_build.note("note.executorch-bounded", from.dynamism == Dynamism::Bounded ? 1 : 0);
    placeAt(from, to.name);
    return to;
}

void Emitter::placeAt(const Tensor& tensor, const std::string& name)
{
    if (tensor.place)
        m_entries.push_back({name, ArenaId(tensor.place->memory - 1), tensor.place->offset, bytesOf(tensor)});
}

void Emitter::write(int value, std::string name)
{
    m_names[static_cast<std::size_t>(value)] = {std::move(name)};
    const Tensor& written = *tensor(value);
    if (written.place) m_at[{*written.place, bytesOf(written)}] = value;
}

/// Those with a place are copied there before the first call; of others the caller's bytes are read.
void Emitter::addInputs()
{
    for (const int input : tensorsOf(m_method.inputs)) {
        if (!m_names[static_cast<std::size_t>(input)].empty()) continue; // listed twice
        NamedValue value = namedValue(input);
        value.visible = !tensor(input)->place.has_value();
        write(input, value.name);
        m_build.graph.inputs.push_back(std::move(value));
    }
}

std::vector<int> Emitter::tensorsOf(const List& args) const
{
    std::vector<int> all;
    for (const int arg : args) {
        const auto* list = std::get_if<List>(&m_method.values[static_cast<std::size_t>(arg)]);
        if (tensor(arg)) all.push_back(arg);
        if (!list) continue;
        std::copy_if(list->begin(), list->end(), std::back_inserter(all), [&](int item) { return tensor(item); });
    }
    return all;
}

bool Emitter::isMade(int value) const
{
    return !m_names[static_cast<std::size_t>(value)].empty() || tensor(value)->initialized;
}

std::optional<int> Emitter::under(int value) const
{
    const Tensor& wanted = *tensor(value);
    const auto found = wanted.place ? m_at.find({*wanted.place, bytesOf(wanted)}) : m_at.end();
    if (isMade(value) || found == m_at.end()) return std::nullopt;
    return found->second;
}

Emitter::Site Emitter::siteOf(std::size_t number) const
{
    const Call& call = m_method.calls[number];
    const bool kernel = call.kind == CallKind::Kernel;
    Site site {call, placeOf(number), false, {}, {}, 0};
    const std::string_view name = std::string_view(call.op).substr(0, call.op.find('.'));
    const bool overFirst = name.ends_with('_') && !name.ends_with("__"); // "mul_" and "index_put_"
    site.over = kernel && overFirst && !call.args.empty() && tensor(call.args.front());
    if (site.over) {
        site.read = tensorsOf(call.args);
        site.written = {call.args.front()};
        if (site.read.size() > 1 && site.read.back() == site.read.front()) site.read.pop_back();
        return site;
    }
    const std::size_t returned = kernel ? countReturned(call.args) : 0;
    const auto tail = call.args.end() - static_cast<std::ptrdiff_t>(returned);
    site.read = tensorsOf({call.args.begin(), tail});
    site.written = tensorsOf({tail, call.args.end()});
    site.read.resize(site.read.size() - site.written.size());
    if (returned == 0) takeResults(site);
    return site;
}

/// A kernel is given all arguments of its schema, those that it writes at their end, and behind them what it returns:
/// one tensor again, or several in a list.
///
///     add.out(x, y, 1, r, r)      max.dim_max(x, 0, false, v, i, [v i])      split_copy.Tensor_out(x, 2, 0, [a b], [a
///     b])
std::size_t Emitter::countReturned(const List& args) const
{
    for (std::size_t count = std::min(args.size() / 2, MostReturned); count > 0; --count) {
        const auto tail = args.end() - static_cast<std::ptrdiff_t>(count);
        if (std::equal(tail, args.end(), tail - static_cast<std::ptrdiff_t>(count))) return count;
    }
    if (args.empty() || !std::holds_alternative<List>(m_method.values[static_cast<std::size_t>(args.back())])) return 0;
    const std::vector<int> results = tensorsOf({args.back()});
    const std::vector<int> before = tensorsOf({args.begin(), args.end() - 1});
    const bool repeats =
        results.size() <= before.size() && std::equal(results.rbegin(), results.rend(), before.rbegin());
    return repeats && !results.empty() ? 1 : 0;
}

/// Where nothing is named again (delegates, kernels that allocate), the last ones that were not made yet are made here.
void Emitter::takeResults(Site& site) const
{
    while (!site.read.empty() && !isMade(site.read.back())) {
        const bool onlyInput = site.read.size() == 1 && !site.written.empty();
        if (onlyInput && under(site.read.back())) return;
        site.written.insert(site.written.begin(), site.read.back());
        site.read.pop_back();
    }
}

void Emitter::countUses()
{
    m_uses.assign(m_method.values.size(), 0);
    for (const Call& call : m_method.calls) {
        std::vector<int> used = call.kind == CallKind::Jump ? std::vector<int>() : tensorsOf(call.args);
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (const int value : used)
            ++m_uses[static_cast<std::size_t>(value)];
    }
}

/// State that starts without a content is used by more than one call, or written over.
bool Emitter::isScratch(const Site& site, int value) const
{
    const Tensor& read = *tensor(value);
    return read.place && !isMade(value) && read.name.empty() && m_uses[static_cast<std::size_t>(value)] == 1 &&
           site.written.front() != value && !under(value);
}

/// Room to work in is handed over like what is read: a result that is never read.
void Emitter::takeScratch(Site& site)
{
    if (site.written.empty()) return;
    const auto first =
        std::stable_partition(site.read.begin(), site.read.end(), [&](int value) { return !isScratch(site, value); });
    for (auto scratch = first; scratch != site.read.end(); ++scratch) {
        if (bytesOf(*tensor(*scratch)) == 0) continue;
        site.written.push_back(*scratch);
        ++site.workspaces;
    }
    m_build.note("note.executorch-scratch", static_cast<std::size_t>(site.workspaces));
    site.read.erase(first, site.read.end());
}

std::vector<std::string> Emitter::current(int value)
{
    if (const auto made = under(value)) {
        m_build.note("note.executorch-views", m_views.insert(value).second ? 1 : 0);
        return m_names[static_cast<std::size_t>(*made)];
    }
    std::vector<std::string>& names = m_names[static_cast<std::size_t>(value)];
    if (names.empty()) write(value, addSource(value));
    return names;
}

/// A weight in the file, one in the arena that may be trained, or a value of unknown origin.
std::string Emitter::addSource(int value)
{
    const Tensor& from = *tensor(value);
    NamedValue source = namedValue(value);
    std::string name = source.name;
    if (from.data) source.data = dataOf(*from.data, m_file);
    m_build.note("note.executorch-weights", from.place ? 1 : 0);
    (from.data || from.place ? m_build.graph.parameters : m_build.graph.constants).push_back(std::move(source));
    return name;
}

void Emitter::define(const Site& site, int value, NamedNode& node)
{
    const Tensor& made = *tensor(value);
    const bool over = site.over || (made.place && made.initialized);
    if (over) {
        std::string before = current(value).front();
        const auto known = std::find(node.inputs.begin(), node.inputs.end(), before);
        const auto input = narrow<int>(known - node.inputs.begin());
        if (known == node.inputs.end()) {
            node.node.declared.edit().ignoredInputs.push_back(input);
            node.inputs.push_back(std::move(before));
        }
        if (!node.node.declared->traits) node.node.declared.edit().traits.emplace();
        node.node.declared.edit().traits->push_back({narrow<int>(node.outputs.size()), input, AliasKind::Mutates});
    }
    NamedValue result = namedValue(value);
    if (!made.place) m_unplaced.insert(result.name);
    write(value, result.name);
    node.outputs.push_back(result.name);
    m_build.graph.values.push_back(std::move(result));
}

Status Emitter::addNode(const Site& site, std::size_t number)
{
    NamedNode node = m_build.node(site.call.op + "_" + std::to_string(number), site.call.op, site.place);
    node.node.domain = site.call.library;
    node.node.from.edit().origin.op = site.call.library + "::" + site.call.op;
    if (site.workspaces > 0) node.node.attributes.emplace(Workspaces, site.workspaces);
    for (const int value : site.read) {
        for (std::string& name : current(value))
            node.inputs.push_back(std::move(name));
    }
    PLIMSOLL_TRY(takeNames(node.inputs.size(), number));
    for (const int value : site.written)
        define(site, value, node);
    m_build.graph.nodes.push_back(std::move(node));
    return {};
}

/// The value is another one from here on; where paths meet it may also be what it was.
Status Emitter::move(int from, int to, std::size_t number)
{
    std::vector<std::string> names = current(from);
    std::vector<std::string>& known = m_names[static_cast<std::size_t>(to)];
    if (m_jumps) names.insert(names.end(), known.begin(), known.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    PLIMSOLL_TRY(takeNames(names.size(), number));
    known = std::move(names);
    return {};
}

Status Emitter::addCall(std::size_t number)
{
    const Call& call = m_method.calls[number];
    if (call.kind == CallKind::Free) return {};
    if (call.kind == CallKind::Jump) {
        if (call.target > number) return {};
        return error(number, say("executorch.loop", word::Number {call.target}));
    }
    if (call.kind == CallKind::Move) {
        const bool tensors = tensor(call.args[0]) && tensor(call.args[1]);
        return tensors ? move(call.args[0], call.args[1], number) : Status();
    }
    Site site = siteOf(number);
    takeScratch(site);
    m_build.note("note.executorch-delegates", call.kind == CallKind::Delegate ? 1 : 0);
    return addNode(site, number);
}

PlanFile Emitter::plan() const
{
    PlanFile plan;
    for (std::size_t memory = 1; memory < m_method.memories.size(); ++memory)
        plan.arenas.push_back({"cpu", m_method.memories[memory], 1, {}});
    plan.entries = m_entries;
    return plan;
}

} // namespace plimsoll::executorch
