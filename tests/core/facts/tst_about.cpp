#include "core/facts/about.h"
#include "core/facts/english/english.h"
#include "core/facts/fact_table.h"
#include "core/pipeline/pipeline.h"
#include "tests/core/facts/about_cases.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

Focus focusOf(const Report& report, const std::string& what)
{
    const std::string kind = what.substr(0, what.find(' '));
    const std::string name = what.substr(what.find(' ') + 1);
    if (kind == "value") return Focus::on(findValue(*report.program.graph, name));
    if (kind == "node") return Focus::on(findNode(*report.program.graph, name));
    if (kind == "storage") return Focus::on(StorageId(std::stoi(name)));
    if (kind == "hole") return Focus::onHole(std::stoi(name));
    if (kind == "finding") return Focus::onFinding(std::stoi(name));
    return kind == "step" ? Focus::atStep(std::stoi(name)) : Focus();
}

/// Without what takes another time each time.
std::string textOf(const Report& report, const Focus& focus)
{
    auto sections = sectionsAbout(report, focus);
    for (FactSection& section : sections)
        std::erase_if(section.facts, [](const Fact& fact) { return fact.cell.kind == Cell::Kind::Seconds; });
    return "\n" + sectionsText(std::string(focusKind(focus)) + " " + focusTitle(report, focus), sections,
                               [](const Cell& cell) { return fullText(cell); });
}

const Fact* findFact(const std::vector<FactSection>& sections, std::string_view section, std::string_view name)
{
    const auto found = std::ranges::find(sections, section, &FactSection::title);
    if (found == sections.end()) return nullptr;
    const auto fact = std::ranges::find(found->facts, name, &Fact::name);
    return fact == found->facts.end() ? nullptr : &*fact;
}

} // namespace

/// What is said of a value, a node, a storage, a finding, a hole, a step and the graph, held against its text.
class AboutThings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sectionsOfThings_data();
    void sectionsOfThings();
    void factsLeadToWhatTheyName();
    void noSectionIsEmpty();
    void theSumCountsWhatTheCallerBrings();
    void aGroupSaysWhatItHoldsAtThePeak();
};

void AboutThings::aGroupSaysWhatItHoldsAtThePeak()
{
    const Report report = test::planned("input x float32[16]\na = Relu(x)\nb = Exp(a)\nc = Exp(a)\nd = Add(b, c)\n"
                                        "y = Relu(d)\noutput y\n",
                                        "alignment=1 inplace=off");
    const NodeGroup group {"pair", {report.program.schedule.steps[1].node, report.program.schedule.steps[2].node}};

    const auto sections = groupSections(report, group);

    QCOMPARE(findFact(sections, "Group", "Nodes")->cell.number, std::int64_t {2});
    QCOMPARE(findFact(sections, "Group", "Values made")->cell.number, std::int64_t {2});
    QCOMPARE(report.memory.peakBytes, std::int64_t {192});
    QCOMPARE(findFact(sections, "Group", "At the peak")->cell.number, std::int64_t {128});
    QCOMPARE(findFact(sections, "Group", "Share of the peak")->cell.real, 128.0 / 192);
    QCOMPARE(fullText(findFact(sections, "Group", "Steps")->cell), std::string("[1, 3)"));
    QCOMPARE(findFact(sections, "Operators", "Exp")->cell.number, std::int64_t {2});
}

void AboutThings::theSumCountsWhatTheCallerBrings()
{
    const auto inAll = [](std::string_view outputs) {
        const Report report = test::planned("input x float32[16]\ny = Relu(x)\noutput y\n",
                                            "alignment=1 outputs=" + std::string(outputs));
        return findFact(sectionsAbout(report, {}), "Bytes", "In all")->cell.number;
    };
    QCOMPARE(inAll("external"), std::int64_t {128});
    QCOMPARE(inAll("external"), inAll("independent"));
}

void AboutThings::sectionsOfThings_data()
{
    QTest::addColumn<std::size_t>("number");
    for (const Case& one : Cases)
        QTest::addRow("%td %s", &one - Cases, std::string(one.what).c_str()) << static_cast<std::size_t>(&one - Cases);
}

void AboutThings::sectionsOfThings()
{
    QFETCH(std::size_t, number);
    const auto& [graph, choices, what, text] = Cases[number];
    const Report report = planned(graph, choices);
    const std::string said = textOf(report, focusOf(report, std::string(what)));
    QVERIFY2(said == text, said.c_str());
}

void AboutThings::factsLeadToWhatTheyName()
{
    const Report report = planned(Chain);
    const Graph& graph = *report.program.graph;
    const auto sections = sectionsAbout(report, Focus::on(findValue(graph, "b")));
    const NodeId second = findNode(graph, "second");
    const Fact* const written = findFact(sections, "What writes and reads it", "Written by");
    const Fact* const storage = findFact(sections, "Where and when", "Storage");
    const Fact* const live = findFact(sections, "Where and when", "Live steps");
    QVERIFY(written && storage && live);
    QCOMPARE(written->cell.link.node, second);
    QCOMPARE(storage->cell.link, Focus::on(StorageId(2)));
    QCOMPARE(storage->cell.tip, std::string("4,096 bytes"));
    QCOMPARE(live->cell.tip, std::string("steps in which the bytes matter; [2, 5) ends before 5"));
    const auto hole = sectionsAbout(planned(Ladder, Stacked), Focus::onHole(0));
    QCOMPARE(findFact(hole, "Free bytes with live ones above", "Steps")->cell.link, Focus::atStep(4));
    QCOMPARE(findFact(hole, "Free bytes with live ones above", "Offsets")->cell.tip,
             std::string("bytes [0, 512) of the arena"));
}

void AboutThings::noSectionIsEmpty()
{
    for (const std::string_view text : {Chain, Training, Counting, Sparse, Nested}) {
        const Report report = planned(text);
        std::vector<Focus> all = {Focus(), Focus::atStep(0)};
        for (std::size_t i = 0; i < report.program.values.size(); ++i)
            all.push_back(Focus::on(ValueId(i)));
        for (std::size_t i = 0; i < report.program.graph->nodes.size(); ++i)
            all.push_back(Focus::on(NodeId(i)));
        for (std::size_t i = 0; i < report.program.storages.size(); ++i)
            all.push_back(Focus::on(StorageId(i)));
        for (const Focus& focus : all) {
            for (const FactSection& section : sectionsAbout(report, focus)) {
                QVERIFY2(!section.facts.empty(), section.title.c_str());
                for (const Fact& fact : section.facts)
                    QVERIFY2(!fact.name.empty() && !fullText(fact.cell).empty(), fact.name.c_str());
            }
        }
    }
}

QTEST_GUILESS_MAIN(AboutThings)
#include "tst_about.moc"
