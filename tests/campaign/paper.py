"""Where the plan puts values, what each should hold, and what the bytes hold."""

import re

import memory


class Paper:
    def __init__(self, graph, sizes, plan):
        self.graph, self.sizes = graph, sizes
        self.places = {}  # name -> (region, offset)
        self.scratch = {}  # node -> (region, begin, end)
        self.views = set()  # that lie in what they are views of, and what they become by being written
        self.apart = {}  # the pieces of those with strides
        self.content = {}  # what a value should hold by now
        self.regions = {}
        for entry in plan["allocations"]:
            where = ("host", entry["host"]) if "host" in entry else ("arena", entry.get("arena", 0))
            if entry["value"].startswith("scratch:"):
                self.scratch[entry["value"][8:]] = (where, entry["offset"], entry["offset"] + entry["bytes"])
            else:
                self.places[entry["value"]] = (where, entry["offset"])
        for name in graph.outer & self.places.keys():
            self.put(name, memory.fresh(self.size(name)))

    def size(self, name):
        return self.sizes.get(name, 0)

    def pieces(self, name):
        """The bytes of its elements, counted from the first; a view with strides has others in between."""
        if name not in self.views or name not in self.graph.strides:
            return [(0, self.size(name))]
        if name not in self.apart:
            shape, strides = self.graph.shapes[name], self.graph.strides[name]
            self.apart[name] = memory.strided(shape, strides, self.width(name) // 8)
        return self.apart[name]

    def span(self, name):
        return self.pieces(name)[-1][1]

    def width(self, name):
        """Of an element, in bits."""
        digits = re.search("[0-9]+", self.graph.types.get(name, ""))
        return int(digits[0]) if digits else 8

    def place(self, name):
        """What has no place lies apart."""
        return self.places.get(name, (("host", name), 0))

    def stretch(self, name):
        where, at = self.place(name)
        return where, at, at + self.span(name)

    def overlap(self, one, other):
        """The bytes that two stretches share, or None."""
        begin, end = max(one[1], other[1]), min(one[2], other[2])
        return (one[0], begin, end) if one[0] == other[0] and begin < end else None

    def shared(self, one, other):
        whole = self.overlap(self.stretch(one), self.stretch(other))
        if not whole or not self.graph.strides.keys() & {one, other}:
            return whole
        (where, first), (_, second) = self.place(one), self.place(other)
        both = (self.overlap((where, first + a, first + b), (where, second + c, second + d))
                for a, b in self.pieces(one) for c, d in self.pieces(other))
        return next(filter(None, both), None)

    def region(self, where):
        if where not in self.regions:
            self.regions[where] = memory.Region()
            if where[0] == "host":
                self.regions[where].write(0, self.expected(where[1]))
        return self.regions[where]

    def exists(self, name):
        return name in self.content or name in self.graph.outer and name not in self.places

    def expected(self, name):
        if name not in self.content and self.exists(name):
            self.content[name] = memory.fresh(self.size(name))
        return self.content.get(name, ())

    def holds(self, name):
        where, at = self.place(name)
        return not any(self.region(where).missing(at, self.expected(name)))

    def keeps(self, name, content):
        """Whether the caller's bytes are as they were."""
        where, at = self.place(name)
        return where not in self.regions or not any(self.regions[where].missing(at, content))

    def put(self, name, content):
        self.content[name] = content
        self.write(name, content)

    def write(self, name, content):
        where, at = self.place(name)
        self.region(where).write(at, content)

    def spoil(self, stretch):
        where, begin, end = stretch
        self.region(where).write(begin, memory.fresh(end - begin))
