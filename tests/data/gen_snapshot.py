#!/usr/bin/env python3
"""Writes a memory snapshot as torch.cuda.memory._dump_snapshot() does, of a program that never ran.

    gen_snapshot.py OUT.pickle                 the example of the start page: a training that ends out of memory
    gen_snapshot.py OUT.pickle --events 1000000   as many events, for measurements
    gen_snapshot.py OUT.pickle --protocol 2       as PyTorch's own pickler (C++) writes it

The allocator is a small model of PyTorch's (rounding to 512 bytes, segments of 2 and 20 MiB, the smallest block that
fits, what is split off and what is not, blocks merged when they are freed), so that sizes and addresses go together.
"""

import argparse
import bisect
import pickle
import random

MIB = 1 << 20


class Block:
    def __init__(self, segment, address, size):
        self.segment, self.address, self.size = segment, address, size
        self.requested, self.frames, self.used = 0, [], False


class OutOfMemory(Exception):
    pass


class Allocator:
    def __init__(self, capacity):
        self.capacity = capacity
        self.reserved = 0
        self.segments = []
        self.free = {True: [], False: []}  # small, large: sorted (size, address, block)
        self.next_address = 0x7F3A00000000
        self.events = []

    def event(self, action, size, frames, **more):
        self.events.append({"action": action, **more, "size": size, "stream": 0,
                            "time_us": 1_700_000_000_000_000 + 7 * len(self.events), "frames": frames})

    def keep(self, block, small):
        bisect.insort(self.free[small], (block.size, block.address, block))

    def drop(self, block, small):
        self.free[small].remove((block.size, block.address, block))

    def take_segment(self, size, small, frames):
        total = 2 * MIB if small else 20 * MIB if size < 10 * MIB else (size + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)
        if self.reserved + total > self.capacity:
            self.release(frames)
        if self.reserved + total > self.capacity:
            self.event("oom", size, frames, device_free=self.capacity - self.reserved)
            raise OutOfMemory
        segment = {"address": self.next_address, "total_size": total, "small": small, "frames": frames}
        self.next_address += total + (-total) % (32 * MIB)
        self.reserved += total
        self.segments.append(segment)
        self.event("segment_alloc", total, frames, addr=segment["address"])
        block = Block(segment, segment["address"], total)
        segment["blocks"] = [block]
        return block

    def release(self, frames):
        """What is free as a whole goes back to the driver."""
        for segment in list(self.segments):
            first = segment["blocks"][0]
            if len(segment["blocks"]) > 1 or first.used:
                continue
            self.drop(first, segment["small"])
            self.segments.remove(segment)
            self.reserved -= segment["total_size"]
            self.event("segment_free", segment["total_size"], frames, addr=segment["address"])

    def alloc(self, requested, frames):
        size = max(512, (requested + 511) // 512 * 512)
        small = size <= MIB
        at = bisect.bisect_left(self.free[small], (size, 0))
        if at < len(self.free[small]):
            block = self.free[small].pop(at)[2]
        else:
            block = self.take_segment(size, small, frames)
        rest = block.size - size
        if rest >= 512 if small else rest > MIB:
            blocks = block.segment["blocks"]
            tail = Block(block.segment, block.address + size, rest)
            block.size = size
            blocks.insert(blocks.index(block) + 1, tail)
            self.keep(tail, small)
        block.used, block.requested, block.frames = True, requested, frames
        self.event("alloc", requested, frames, addr=block.address)
        return block

    def release_block(self, block):
        small, blocks = block.segment["small"], block.segment["blocks"]
        self.event("free_requested", block.requested, block.frames, addr=block.address)
        self.event("free_completed", block.requested, block.frames, addr=block.address)
        block.used = False
        at = blocks.index(block)
        for neighbour in (at + 1, at - 1):
            if 0 <= neighbour < len(blocks) and not blocks[neighbour].used:
                other = blocks[neighbour]
                self.drop(other, small)
                first, second = (block, other) if neighbour > at else (other, block)
                first.size += second.size
                blocks.remove(second)
                block = first
        self.keep(block, small)

    def snapshot(self, most_events):
        return {
            "segments": [self.segment(segment) for segment in sorted(self.segments, key=lambda s: s["address"])],
            "device_traces": [self.events[-most_events:]],
            "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1,
                                   "garbage_collection_threshold": 0.0, "expandable_segments": False,
                                   "roundup_power2_divisions": {"1": 0}},
        }

    @staticmethod
    def segment(segment):
        blocks = [{"address": block.address, "size": block.size, "requested_size": block.requested,
                   "state": "active_allocated" if block.used else "inactive", "frames": block.frames}
                  for block in segment["blocks"]]
        used = sum(block["size"] for block in blocks if block["state"] == "active_allocated")
        return {"device": 0, "address": segment["address"], "total_size": segment["total_size"],
                "allocated_size": used, "active_size": used, "stream": 0,
                "segment_type": "small" if segment["small"] else "large", "segment_pool_id": (0, 0),
                "is_expandable": False, "frames": segment["frames"], "blocks": blocks}


def stack(*lines):
    """Innermost first: ("model.py", 31, "forward"), …, with PyTorch's own frame in front."""
    frames = [{"filename": "/usr/lib/python3/dist-packages/torch/nn/functional.py", "line": 2140, "name": "linear"}]
    return frames + [{"filename": "/home/me/" + file, "line": line, "name": name} for file, line, name in lines]


def training(allocator, batches, layers=4, width=512, seed=1):
    """Batches of ever longer texts; the optimizer's state comes in the middle of the first step's activations."""
    jitter = random.Random(seed)
    step = ("train.py", 40, "step")
    forward = [[stack(("model.py", 20 + 4 * part, name), ("model.py", 60, "forward"), step)
                for part, name in enumerate(("attention", "softmax", "mlp", "norm"))] for _ in range(layers)]
    weights = stack(("model.py", 12, "__init__"), ("train.py", 12, "main"))
    gradients = stack(("train.py", 44, "backward"), ("train.py", 70, "main"))
    moments = stack(("optimizer.py", 33, "init_state"), ("train.py", 47, "step"))
    logits = stack(("model.py", 48, "head"), ("model.py", 62, "forward"), step)
    for _ in range(layers):
        allocator.alloc(12 * width * width * 4, weights)
    state = []
    for batch, length in enumerate(batches):
        kept = []
        for layer in range(layers):
            scale = length * width * 4
            for frames, factor in zip(forward[layer], (4, 1, 4, 1)):
                extra = jitter.randrange(8) * 512 * 64
                kept.append(allocator.alloc(8 * scale * factor // 4 + extra, frames))
            temporary = allocator.alloc(8 * length * length * 4, forward[layer][1])
            allocator.release_block(temporary)
        kept.append(allocator.alloc(length * 32000, logits))
        grads = []
        for number, block in enumerate(reversed(kept)):
            if number % 4 == 1:
                grads.append(allocator.alloc(12 * width * width * 4, gradients))
            if batch == 0 and number % 4 == 2:
                state += [allocator.alloc(12 * width * width * 4, moments) for _ in range(2)]
            allocator.release_block(block)
        for block in grads:
            allocator.release_block(block)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--events", type=int, default=0)
    parser.add_argument("--protocol", type=int, default=4)
    options = parser.parse_args()
    jitter = random.Random(7)
    if options.events:
        allocator = Allocator(1 << 50)
        while len(allocator.events) < options.events:
            training(allocator, [jitter.randrange(256, 2048) for _ in range(200)], seed=len(allocator.events))
    else:
        allocator = Allocator(540 * MIB)
        try:
            training(allocator, [512, 704, 600, 832, 760, 960, 1100, 1280, 1500, 1700])
        except OutOfMemory:
            pass
    with open(options.out, "wb") as file:
        pickle.dump(allocator.snapshot(options.events or len(allocator.events)), file, protocol=options.protocol)


if __name__ == "__main__":
    main()
