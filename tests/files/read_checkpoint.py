"""Reads a floc checkpoint by docs/checkpoint.md alone: a check that the page is complete.

    python3 read_checkpoint.py FILE

Checks every checksum and prints one line per section: name, type, shape, CRC-32 and the first numbers.
"""
import struct
import sys
import zlib

SIZES = {"f64": 8, "i64": 8, "u64": 8, "i32": 4, "u8": 1}
CODES = {"f64": "d", "i64": "q", "u64": "Q", "i32": "i", "u8": "B"}


def check(condition, text):
    if not condition:
        sys.exit("damaged: " + text)


def text_field(field):
    text = field.split(b"\0")[0]
    check(len(text) < len(field) and field[len(text):].strip(b"\0") == b"", "text field")
    return text.decode()


def from_planes(planes, stride):
    rows = len(planes) // stride
    raw = bytearray(len(planes))
    for k in range(stride):
        raw[k::stride] = planes[k * rows:(k + 1) * rows]
    return raw


def add_up(raw, stride, size, order):
    byteorder = "little" if order == "<" else "big"
    for at in range(stride, len(raw), size):
        above = int.from_bytes(raw[at - stride:at - stride + size], byteorder)
        here = int.from_bytes(raw[at:at + size], byteorder)
        raw[at:at + size] = ((above + here) % (1 << 8 * size)).to_bytes(size, byteorder)
    return raw


def unfiltered(number, above, kind, bits):
    """The number that a filter made this of; above: the one before, already restored."""
    if kind == 0:
        return number
    if kind == 1:
        return (above + number) % (1 << bits)
    if kind == 2:
        return (above + (number // 2 if number % 2 == 0 else -(number // 2) - 1)) % (1 << bits)
    number = (number + ((kind - 3) << (bits - 11))) % (1 << bits)
    return number >> 1 | (number & 1) << (bits - 1)


def read_columns(stored, stride, size, length, order):
    """Encoding 3."""
    byteorder = "little" if order == "<" else "big"
    rows, columns, raw = length // stride, stride // size, bytearray(length)
    width = 1 + 2 * size
    head = [stored[c * width:(c + 1) * width] for c in range(columns)]
    ways = [way for one in head for way in one[1::2]]
    used = columns * width
    plain = [stored[used + k * rows:used + (k + 1) * rows] for k in range(ways.count(1))]
    used += rows * len(plain)
    packed = b""
    if 2 in ways:
        stream = zlib.decompressobj(-15)
        packed = stream.decompress(stored[used:]) + stream.flush()
        check(stream.eof, "stream")
        used = len(stored) - len(stream.unused_data)
    check(len(packed) == rows * ways.count(2), "stream")
    check(used == len(stored) or (set(stored[used:]) == {0} and len(stored) == -(-length // 1032)), "padding")
    packed = [packed[k * rows:(k + 1) * rows] for k in range(ways.count(2))]
    for c, one in enumerate(head):
        planes = [[bytes([value]) * rows, plain, packed][way] for way, value in zip(one[1::2], one[2::2])]
        planes = [plane if isinstance(plane, bytes) else plane.pop(0) for plane in planes]
        above = 0
        for row, number in enumerate(zip(*planes)):
            above = unfiltered(int.from_bytes(bytes(number), byteorder), above, one[0], 8 * size)
            raw[row * stride + c * size:row * stride + (c + 1) * size] = above.to_bytes(size, byteorder)
    return raw


# ---- predictions: rows are lists of 64-bit patterns ----

def number(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def put_back(left, predicted):
    return unfiltered(left, predicted, 2, 64)


def by_order(rows, entry, column, order):
    for row, place in zip(rows, order):
        row[0] = put_back(row[0], bits(column[place - 1]) if 1 <= place <= len(column) else 0)


def pairs_of_list(rows, entry, start, second, order):
    found = [sorted((order[k], order[second[n]])) for k in range(len(order)) for n in range(start[k], start[k + 1])]
    found.sort()
    for k, row in enumerate(rows):
        row[0], row[1] = map(bits, map(float, found[row[0] + k]))


def perpendicular(rows, entry, *columns):
    column, period, count = entry["column"], entry["period"], len(columns)
    for row in rows:
        ids = [int(number(row[k])) - 1 for k in (0, 1)]
        way = [x[ids[1]] - x[ids[0]] for x in columns]
        for k in range(count):
            if period[k] > 0 and way[k] > 0.5 * period[k]:
                way[k] -= period[k]
            elif period[k] > 0 and way[k] < -0.5 * period[k]:
                way[k] += period[k]
        m = max(range(count), key=lambda k: (abs(way[k]), -k))
        old = row[column:column + count]
        along = number(old[0]) * way[(m + 1) % count]
        if count == 3:
            along = along + number(old[1]) * way[(m + 2) % count]
        predicted = -along / way[m]
        for k in range(count - 1):
            row[column + (m + 1 + k) % count] = old[k]
        row[column + m] = put_back(old[-1], bits(predicted) if predicted != 0 else 0)


KINDS = {1: by_order, 2: pairs_of_list, 3: perpendicular}


def undo(entry, sections, order):
    target = sections[entry["section"]]
    count = len(target["raw"]) // 8
    flat = struct.unpack(order + str(count) + "Q", target["raw"])
    rows = [list(flat[k:k + target["columns"]]) for k in range(0, count, target["columns"])]
    sources = [sections[k] for k in entry["source"]]
    KINDS[entry["kind"]](rows, entry, *[struct.unpack(order + str(s["rows"]) + CODES[s["kind"]], s["raw"]) for s in sources])
    target["raw"] = struct.pack(order + str(count) + "Q", *[value for row in rows for value in row])


def read_chunk(stored, entry, stride, size, length, order, predicted):
    stored_length, encoding, stored_crc, raw_crc = entry
    check(zlib.crc32(stored) == stored_crc, "stored bytes")
    if encoding == 0:
        raw = stored
    elif encoding == 3:
        raw = read_columns(stored, stride, size, length, order)
    else:
        stream = zlib.decompressobj(-15)
        planes = stream.decompress(stored) + stream.flush()
        check(stream.eof and not stream.unused_data, "stream")
        raw = from_planes(planes, stride)
        if encoding == 2:
            raw = add_up(raw, stride, size, order)
    check(len(raw) == length and (predicted or zlib.crc32(raw) == raw_crc), "raw bytes")
    return bytes(raw)


def read(path, say=lambda *words: None):
    """The sections of a file, with their bytes; say is told what the header holds."""
    data = open(path, "rb").read()
    check(data[:8] == b"\x89FLOC\r\n\x1a" and len(data) >= 96, "magic")
    order = "<" if data[8:12] == b"\4\3\2\1" else ">"
    (version, file_length, contents_offset, contents_length, section_count, contents_crc, library, prediction_count,
     header_crc) = struct.unpack(order + "12x I Q Q Q I I 32s I 8x I".replace(" ", ""), data[:96])
    check(zlib.crc32(data[:92]) == header_crc and file_length == len(data), "header")
    check(version in (1, 2) and contents_offset + contents_length == len(data), "header")
    contents = data[contents_offset:]
    check(zlib.crc32(contents) == contents_crc, "contents")
    say("floc", text_field(library), "sections", section_count, "predictions", prediction_count)
    predictions_at = len(contents) - 64 * prediction_count
    chunks = struct.iter_unpack(order + "4I", contents[128 * section_count:predictions_at])
    offset, sections = 96, []
    for k in range(section_count):
        (name, kind, rows, columns, raw_length, stored_length, first, crc, flags, stride,
         chunk_length) = struct.unpack(order + "64s8s5Q4I", contents[128 * k:128 * (k + 1)])
        name, kind = text_field(name), text_field(kind)
        check(raw_length == rows * columns * SIZES[kind] and first == offset, name)
        raw = b""
        while len(raw) < raw_length:
            entry = next(chunks)
            length = min(chunk_length, raw_length - len(raw))
            raw += read_chunk(data[offset:offset + entry[0]], entry, stride, SIZES[kind], length, order, flags & 2)
            offset += entry[0]
        check(offset == first + stored_length, name)
        sections.append({"name": name, "kind": kind, "rows": rows, "columns": columns, "raw": raw, "crc": crc, "flags": flags})
    check(offset == contents_offset and next(chunks, None) is None, "bytes that belong to no section")
    for kind, section, column, count, *rest in struct.iter_unpack(order + "8I3dQ", contents[predictions_at:]):
        entry = {"kind": kind, "section": section, "column": column, "source": rest[:count], "period": rest[4:7]}
        undo(entry, sections, order)
    for one in sections:
        check(zlib.crc32(one["raw"]) == one["crc"], one["name"])
        one["order"] = order
    return sections


def main(path):
    for one in read(path, print):
        raw, kind = one["raw"], one["kind"]
        numbers = struct.unpack(one["order"] + str(len(raw) // SIZES[kind]) + CODES[kind], raw)
        print(one["name"], kind, f"{one['rows']}x{one['columns']}", f"{one['crc']:08x}",
              "state" if one["flags"] & 1 else "-", *numbers[:3], sep="\t")
    print("whole")


if __name__ == "__main__":
    main(sys.argv[1])
