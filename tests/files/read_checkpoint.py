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


def read_chunk(stored, entry, stride, size, length, order):
    stored_length, encoding, stored_crc, raw_crc = entry
    check(zlib.crc32(stored) == stored_crc, "stored bytes")
    if encoding == 0:
        raw = stored
    else:
        stream = zlib.decompressobj(-15)
        planes = stream.decompress(stored) + stream.flush()
        check(stream.eof and not stream.unused_data, "stream")
        raw = from_planes(planes, stride)
        if encoding == 2:
            raw = add_up(raw, stride, size, order)
    check(len(raw) == length and zlib.crc32(raw) == raw_crc, "raw bytes")
    return bytes(raw)


def main(path):
    data = open(path, "rb").read()
    check(data[:8] == b"\x89FLOC\r\n\x1a" and len(data) >= 96, "magic")
    order = "<" if data[8:12] == b"\4\3\2\1" else ">"
    (version, file_length, contents_offset, contents_length, section_count, contents_crc, library,
     header_crc) = struct.unpack(order + "12x I Q Q Q I I 32s 12x I".replace(" ", ""), data[:96])
    check(zlib.crc32(data[:92]) == header_crc and file_length == len(data), "header")
    check(version == 1 and contents_offset + contents_length == len(data), "header")
    contents = data[contents_offset:]
    check(zlib.crc32(contents) == contents_crc, "contents")
    print("floc", text_field(library), "sections", section_count)
    chunks = struct.iter_unpack(order + "4I", contents[128 * section_count:])
    offset = 96
    for k in range(section_count):
        (name, kind, rows, columns, raw_length, stored_length, first, crc, flags, stride,
         chunk_length) = struct.unpack(order + "64s8s5Q4I", contents[128 * k:128 * (k + 1)])
        name, kind = text_field(name), text_field(kind)
        check(raw_length == rows * columns * SIZES[kind] and first == offset, name)
        raw = b""
        while len(raw) < raw_length:
            entry = next(chunks)
            length = min(chunk_length, raw_length - len(raw))
            raw += read_chunk(data[offset:offset + entry[0]], entry, stride, SIZES[kind], length, order)
            offset += entry[0]
        check(zlib.crc32(raw) == crc and offset == first + stored_length, name)
        numbers = struct.unpack(order + str(len(raw) // SIZES[kind]) + CODES[kind], raw)
        print(name, kind, f"{rows}x{columns}", f"{crc:08x}", "state" if flags & 1 else "-", *numbers[:3], sep="\t")
    check(offset == contents_offset and next(chunks, None) is None, "bytes that belong to no section")
    print("whole")


main(sys.argv[1])
