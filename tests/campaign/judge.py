"""Walks a plan step by step over bytes with version stamps and says what is read that is not there any more.

Nothing of Plimsoll's verdict is used: the graph file, the sizes of values and the plan are. What the definitions of
operators leave open (a normalisation over its own input, say) is doubtful: neither harmful nor harmless."""

import dataclasses
import itertools

import control
import graphs
import memory
import operators
import paper
import parts

WAYS = 48  # through branches and trips


@dataclasses.dataclass
class Verdict:
    harms: list = dataclasses.field(default_factory=list)
    doubts: list = dataclasses.field(default_factory=list)
    complete: bool = True  # whether every way through branches and trips was walked

    @property
    def kind(self):
        return "harmful" if self.harms else "doubtful" if self.doubts else "harmless"


@dataclasses.dataclass
class Terms:
    given: bool = False  # inputs that the caller gives away may be written
    trusted: frozenset = frozenset()  # (node, input): what the legal plan writes in place
    strict: bool = False  # a copy is another version, though its bytes are the same


def judge(graph, sizes, plan, terms):
    """\\p sizes: bytes of each value, by name."""
    early = list(disordered(graph, plan))
    verdict = Verdict(harms=list(outside(sizes, plan)) + [pair for pair, read in early if read],
                      doubts=[pair for pair, read in early if not read])
    if verdict.harms:
        return verdict
    script = []
    for _ in range(WAYS):
        walk = Walk(graph, sizes, plan, terms, script)
        walk.run()
        verdict.doubts += [doubt for doubt in walk.doubts if doubt not in terms.trusted]
        if walk.undecided:
            verdict.doubts += walk.harms
        else:
            verdict.harms += walk.harms
        script = next_script(walk.taken)
        if verdict.harms or script is None:
            break
    verdict.complete = script is None
    return verdict


def outside(sizes, plan):
    for entry in plan["allocations"]:
        room = sizes.get(entry["host"], 0) if "host" in entry else plan["arenas"][entry.get("arena", 0)]["bytes"]
        if entry["bytes"] < sizes.get(entry["value"], 0):
            yield "undersized", entry["value"]
        if entry["offset"] + entry["bytes"] > room:
            yield "outside", entry["value"]


def disordered(graph, plan):
    """Nodes that stand in front of one whose result they use, in branches that are never taken, too; and whether they read
    its bytes. One that looks at the shape alone may know it sooner."""
    order = {name: index for index, name in enumerate(plan.get("steps") or [])}
    nodes = [node for node in graphs.all_nodes(graph.body) if node.name in order]
    makers = {name: order[node.name] for node in nodes for name in node.outputs if name}
    for node in nodes:
        yield from (((node.name, name), index not in operators.ignored(node)) for index, name in enumerate(node.inputs)
                    if makers.get(name, -1) > order[node.name])


def next_script(taken):
    """The next way through all choices, or None behind the last."""
    for index in range(len(taken) - 1, -1, -1):
        choice, count = taken[index]
        if choice + 1 < count:
            return [chosen for chosen, _ in taken[:index]] + [choice + 1]
    return None


class Walk:
    """One way through the graph."""

    def __init__(self, graph, sizes, plan, terms, script):
        self.graph, self.terms, self.script = graph, terms, script
        self.paper = paper.Paper(graph, sizes, plan)
        self.order = {name: index for index, name in enumerate(plan.get("steps") or [])}
        self.harms, self.doubts = [], []
        self.taken = []  # (choice, how many there were)
        self.known = {}  # content of a condition -> choice
        self.folded = set()  # of nodes that were computed ahead: constants that the file does not have
        self.undecided = False  # whether one of them has decided

    def run(self):
        planned = self.paper.places.keys() & set(self.graph.inputs)
        kept = [name for name in self.graph.outer - planned if not (self.terms.given and name in self.graph.hidden)]
        before = {name: self.paper.expected(name) for name in kept}
        self.body(self.graph.body)
        for name in self.graph.body.outputs:
            self.read(name, "the caller")
        self.harms += [("caller's bytes", name) for name, content in before.items() if not self.paper.keeps(name, content)]

    def body(self, body):
        nodes = sorted(body.nodes, key=lambda node: self.order.get(node.name, -1)) if self.order else body.nodes
        for node in nodes:
            if self.harms:
                return
            self.step(node)

    def step(self, node):
        if self.order and node.name not in self.order:
            self.folded.update(node.outputs)
            self.write(node, {name: memory.fresh(self.paper.size(name)) for name in node.outputs if name}, set())
        elif not node.bodies:
            self.compute(node)
        elif node.op in ("If", "conditional"):
            self.branch(node)
        else:
            self.loop(node, control.links_of(node, self.graph.constants, self.paper.size))

    # ---- one node ----

    def compute(self, node):
        reads = [(index, name) for index, name in enumerate(node.inputs) if name and index not in operators.ignored(node)]
        for _, name in reads:
            self.read(name, node.name)
        made, named = {}, set()
        for output, name in enumerate(node.outputs):
            if name:
                made[name], is_view = self.made(node, output)
                named |= {name} if is_view else set()
                if not is_view:
                    self.check_own(node, output, reads)
        self.use_scratch(node, [name for _, name in reads] + list(made))
        self.write(node, made, named)

    def parts_in_place(self, node, output):
        """Those that lie where the operator would put them, with their offsets; what is not known counts where the legal plan has it so."""
        written = node.outputs[output]
        for part in parts.parts_of(node, output, self.graph):
            name = node.inputs[part.input]
            (where, at), (other, begin) = self.paper.place(name), self.paper.place(written)
            offset = at - begin if part.input_is_part else begin - at
            if where != other or not self.paper.shared(written, name):
                continue
            if part.offset is None and 0 <= offset:
                key = (node.name, name, offset)
                if key in self.terms.trusted:
                    yield dataclasses.replace(part, offset=offset)
                else:
                    self.doubts.append(key)
            elif part.offset == offset:
                yield part

    def made(self, node, output):
        """What an output holds, and whether it only names bytes of an input."""
        name, (kind, index, offset) = node.outputs[output], node.alias.get(output, ("", 0, 0))
        for part in self.parts_in_place(node, output):
            whole = self.paper.expected(node.inputs[part.input])
            if not part.input_is_part:
                return memory.part(whole, part.offset, part.offset + self.paper.size(name)), True
        if kept := [part for part in self.parts_in_place(node, output) if part.input_is_part]:
            return self.around(node, name, kept), False
        copies = output == 0 and not kind and not node.declares and operators.is_identity(node, self.graph.types)
        source = node.inputs[index] if index < len(node.inputs) else None
        if kind == "mutates" and source in self.paper.views and self.paper.place(name) == self.paper.place(source):
            self.paper.views.add(name)
        if not source or not (copies or kind in ("view", "identity")):
            return memory.within(memory.fresh(self.paper.span(name)), self.paper.pieces(name)), False
        where, at = self.paper.place(source)
        if self.paper.place(name) == (where, at + offset):
            # What reaches beyond its base names all that is left.
            self.paper.views.add(name)
            whole = memory.part(self.paper.expected(source), offset, offset + self.paper.span(name))
            return memory.within(whole, self.paper.pieces(name)), True
        return self.copy(source, name) if kind != "view" else memory.fresh(self.paper.size(name)), False

    def around(self, node, name, kept):
        """What is put together leaves the parts that lie in their places as they are."""
        content = memory.Region()
        content.write(0, memory.fresh(self.paper.size(name)))
        for part in kept:
            content.write(part.offset, self.paper.expected(node.inputs[part.input]))
        return tuple((begin, end, token, begin - origin) for begin, end, token, origin in content.pieces)

    def copy(self, source, target):
        """The same version where all bytes are the same, else a new one."""
        same = self.paper.size(source) == self.paper.size(target) and source in self.paper.content
        apart = self.terms.strict and self.paper.place(source) != self.paper.place(target)
        return self.paper.content[source] if same and not apart else memory.fresh(self.paper.size(target))

    def check_own(self, node, output, reads):
        """What is written and what the same node reads lie apart, or exactly on each other where the operator allows it."""
        written = node.outputs[output]
        for index, name in reads:
            if not self.paper.shared(written, name) or operators.plain(node) in operators.ARRANGES_ITSELF:
                continue
            if self.stays(node, output, self.paper.shared(written, name)):
                continue
            same = self.paper.place(written) == self.paper.place(name)
            if same and ((node.name, name) in self.terms.trusted or self.in_place(node, output, index)):
                continue
            sure = not same or (output, index) in node.moves or operators.reads_elsewhere(node) or operators.is_elementwise(node)
            (self.harms if sure else self.doubts).append((node.name, name))

    def stays(self, node, output, bytes):
        """Whether all of them are a part that the node finds in its place."""
        pieces = [self.paper.stretch(node.inputs[part.input]) for part in self.parts_in_place(node, output) if part.input_is_part]
        return any(piece[0] == bytes[0] and piece[1] <= bytes[1] and bytes[2] <= piece[2] for piece in pieces)

    def in_place(self, node, output, index):
        kind, aliased, _ = node.alias.get(output, ("", -1, 0))
        if (output, index) in node.moves:
            return False
        if kind in ("in-place", "mutates", "identity") and aliased == index:
            return True
        written, read = node.outputs[output], node.inputs[index]
        fits = self.paper.size(written) == self.paper.size(read) and self.paper.width(written) == self.paper.width(read)
        return fits and operators.is_elementwise(node)

    def use_scratch(self, node, names):
        stretch = self.paper.scratch.get(node.name)
        if stretch and stretch[1] < stretch[2]:
            self.harms += [(node.name, name) for name in names if self.paper.overlap(stretch, self.paper.stretch(name))]
            self.paper.spoil(stretch)

    def write(self, node, made, named):
        """In no order: bytes that two outputs of one node claim belong to neither."""
        for name, content in made.items():
            self.paper.content[name] = content
            if name not in named:
                self.paper.write(name, content)
        for one, other in itertools.combinations(made.keys() - named, 2):
            both = self.paper.shared(one, other)
            if both and (made[one] != made[other] or self.paper.place(one) != self.paper.place(other)):
                self.paper.spoil(both)
                self.doubts.append((node.name, one))  # nobody may read them

    def read(self, name, reader):
        if name and not self.harms and not (self.paper.exists(name) and self.paper.holds(name)):
            self.harms.append((reader, name))

    # ---- owners of bodies ----

    def branch(self, node):
        condition = node.inputs[0]
        self.read(condition, node.name)
        constant = self.graph.constants.get(condition)
        open_choice = constant is None
        body = node.bodies[self.choose(condition, len(node.bodies)) if open_choice else control.constant_branch(node, constant)]
        self.body(body)
        self.hand_on(node, control.pairs(body.outputs, node.outputs))

    def loop(self, node, links):
        for name in node.inputs:
            self.read(name, node.name)
        self.undecided |= len(links.trips) > 1 and not self.folded.isdisjoint(node.inputs[:2])
        count = links.trips[-1 - self.choose(None, len(links.trips))]  # the most first
        self.doubt_order(node, node.inputs, links.enter)
        self.hand_on(node, links.enter)
        rows = [(source, target) for source, target in links.rows if target]
        claims = {target: self.claim(target) for _, target in rows}
        for trip in range(count):
            self.body(node.bodies[0])
            if self.harms:
                return
            self.hand_out(node, rows, trip, claims)
            self.doubt_order(node, itertools.chain.from_iterable(rows), links.back)
            self.hand_on(node, links.back)
        self.hand_on(node, links.leave)

    def choose(self, condition, count):
        """The same condition, unchanged, decides alike."""
        self.undecided |= condition in self.folded
        token = self.paper.content.get(condition) or condition
        if token is not None and token in self.known:
            return self.known[token]
        chosen = self.script[len(self.taken)] if len(self.taken) < len(self.script) else 0
        self.taken.append((chosen, count))
        if token is not None:
            self.known[token] = chosen
        return chosen

    def hand_on(self, node, pairs):
        """A parallel copy: all is read, then written."""
        for source, _ in pairs:
            self.read(source, node.name)
        made = {target: self.copy(source, target) for source, target in pairs if target}
        for (source, target), (other, _) in itertools.product(pairs, pairs):
            if not target or not other or target == other or not self.paper.shared(target, other):
                continue
            if self.paper.place(target) != self.paper.place(other) or made[target] != self.paper.content.get(other):
                (self.harms if other == source else self.doubts).append((node.name, other))
        self.write(node, made, set())

    def doubt_order(self, node, names, pairs):
        """These are used while values are handed on, in no order."""
        written = [(source, target) for source, target in pairs
                   if target and not (source and self.paper.place(source) == self.paper.place(target))]
        self.doubts += [(node.name, name) for name in names for source, target in written
                        if name and source != name and self.paper.shared(target, name)]

    def claim(self, name):
        """A result that is made row by row may be taken for one that is there all the time."""
        claimed = memory.fresh(self.paper.size(name))
        self.paper.put(name, claimed)
        self.paper.content[name] = ()
        return claimed

    def hand_out(self, node, rows, trip, claims):
        for source, target in rows:
            self.read(source, node.name)
            begin, end = trip * self.paper.size(source), (trip + 1) * self.paper.size(source)
            if end > self.paper.size(target):
                continue
            where, at = self.paper.place(target)
            used = any(self.paper.region(where).missing(at + begin, memory.part(claims[target], begin, end)))
            if used or self.paper.shared(target, source):
                self.doubts.append((node.name, source))
            row = memory.shifted(self.paper.content.get(source, ()), begin)
            self.paper.content[target] += row
            self.paper.write(target, row)
