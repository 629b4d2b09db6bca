"""Bytes with version stamps.

A content is what a value should hold: pieces (begin, end, token, start), where the bytes [begin, end) of the value are those
of the token from start on. A token is made by each write. Memory holds the same, by address."""

import bisect
import itertools

TOKENS = itertools.count(1)


def fresh(size):
    return ((0, size, next(TOKENS), 0),) if size > 0 else ()


def strided(shape, strides, width):
    """The bytes of elements that lie apart, as (begin, end) in order; width is bytes."""
    starts = {0}
    for size, stride in zip(shape, strides):
        starts = {start + index * stride for start in starts for index in range(size)}
    pieces = []
    for start in sorted(starts):
        if pieces and pieces[-1][1] == start * width:
            pieces[-1] = pieces[-1][0], (start + 1) * width
        else:
            pieces.append((start * width, (start + 1) * width))
    return pieces


def within(content, pieces):
    """What of a content lies in the pieces, both counted from its beginning."""
    return tuple((begin + low, begin + high, token, start)
                 for begin, end in pieces for low, high, token, start in part(content, begin, end))


def part(content, begin, end):
    """The bytes [begin, end) of a content, counted from begin."""
    cut = []
    for low, high, token, start in content:
        first, last = max(low, begin), min(high, end)
        if first < last:
            cut.append((first - begin, last - begin, token, start + first - low))
    return tuple(cut)


def shifted(content, by):
    return tuple((low + by, high + by, token, start) for low, high, token, start in content)


class Region:
    """One arena, or the bytes of one value of the caller."""

    def __init__(self):
        self.begins = []
        self.pieces = []  # (begin, end, token, address of the token's byte 0), sorted, disjoint

    def touching(self, begin, end):
        index = max(bisect.bisect_right(self.begins, begin) - 1, 0)
        while index < len(self.pieces) and self.pieces[index][0] < end:
            if self.pieces[index][1] > begin:
                yield index
            index += 1

    def write(self, address, content):
        for low, high, token, start in content:
            self.put(address + low, address + high, token, address + low - start)

    def put(self, begin, end, token, origin):
        touched = list(self.touching(begin, end))
        rest = []
        for index in touched:
            low, high, old, base = self.pieces[index]
            if low < begin:
                rest.append((low, begin, old, base))
            if high > end:
                rest.append((end, high, old, base))
        at = touched[0] if touched else bisect.bisect_left(self.begins, begin)
        new = sorted(rest + [(begin, end, token, origin)])
        self.pieces[at:at + len(touched)] = new
        self.begins[at:at + len(touched)] = [piece[0] for piece in new]

    def missing(self, address, content):
        """The addresses, in pieces, at which another content lies."""
        for low, high, token, start in content:
            begin, end = address + low, address + high
            for index in self.touching(begin, end):
                first, last, found, base = self.pieces[index]
                if begin < first:
                    yield begin, min(first, end)
                if found != token or base != address + low - start:
                    yield max(first, begin), min(last, end)
                begin = max(begin, last)
            if begin < end:
                yield begin, end
