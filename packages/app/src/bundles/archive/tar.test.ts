import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packFiles, unpackFiles } from "./tar-for-tests.ts";
import { measureTar, packTar } from "./tar-writer.ts";

const content = fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes));
const path = fc.stringMatching(/^[a-z][\w/-]{0,90}$/);

test("unpacking returns the packed files, in pieces of any size", () => {
  const files = fc.uniqueArray(fc.record({ path, content }), { selector: (file) => file.path });
  fc.assert(
    fc.property(files, fc.integer({ min: 1, max: 3000 }), (packed, pieceBytes) => {
      expect(unpackFiles(packFiles(packed, new Date(1_700_000_000_000)), pieceBytes)).toEqual(packed);
    }),
  );
});

test("an archive that is written in pieces is the same, and its size is known before", async () => {
  const files = [0, 1, 511, 512, 513].map((size) => ({ path: `a${size}`, content: Buffer.alloc(size, 1) }));
  const entries = files.map((file) => ({ path: file.path, bytes: file.content.length, read: () => [file.content] }));
  const pieces: Uint8Array[] = [];
  for await (const piece of packTar(entries, new Date(0))) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(packFiles(files, new Date(0)))).toBe(true);
  expect(measureTar(entries)).toBe(Buffer.concat(pieces).length);
});

test("the system's tar reads a packed archive", () => {
  const archive = packFiles([{ path: "a/b.txt", content: Buffer.from("hello\n") }], new Date(0));
  const { stdout, status } = spawnSync("tar", ["-xOf", "-", "a/b.txt"], { input: archive, encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "hello\n", status: 0 });
});

test("unpacking refuses an archive that is cut off or damaged", () => {
  const archive = packFiles([{ path: "a", content: Buffer.alloc(2000, 1) }], new Date(0));
  for (const end of [1024, 2560, archive.length - 1024, archive.length - 512]) {
    expect(() => unpackFiles(archive.subarray(0, end))).toThrow("the archive is cut off");
  }
  const damaged = Buffer.from(archive);
  damaged[3] = 7;
  expect(() => unpackFiles(damaged)).toThrow("a header is damaged");
  expect(() => packFiles([{ path: "a".repeat(100), content: Buffer.alloc(0) }], new Date(0))).toThrow(RangeError);
});

test.each(["../x", "a/../../x", "/etc/passwd", "\\\\server\\x", "C:x"])(
  "unpacking refuses the name %s, which leads out of the folder",
  (name) => {
    const archive = packFiles([{ path: name, content: Buffer.from("x") }], new Date(0));
    expect(() => unpackFiles(archive)).toThrow("leads out of the folder");
  },
);

/** Changes one byte in the header of the archive, and corrects the checksum. */
function withByte(archive: Uint8Array, at: number, byte: number): Uint8Array {
  const changed = Buffer.from(archive);
  changed[at] = byte;
  changed.fill(32, 148, 156);
  const sum = changed.subarray(0, 512).reduce((total, each) => total + each, 0);
  changed.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return changed;
}

test("unpacking refuses links, duplicate names and bytes that belong to no file", () => {
  const one = { path: "a", content: Buffer.from("x") };
  const archive = packFiles([one], new Date(0));
  expect(() => unpackFiles(withByte(archive, 156, "2".charCodeAt(0)))).toThrow(
    "something else than plain files, such as a link",
  );
  expect(() => unpackFiles(packFiles([one, one], new Date(0)))).toThrow("has a name twice");
  for (const at of [50, 265, 340, 505]) {
    expect(() => unpackFiles(withByte(archive, at, 65))).toThrow("a header has unknown data");
  }
  for (const at of [600, archive.length - 1]) {
    const hiding = Buffer.from(archive);
    hiding[at] = 65;
    expect(() => unpackFiles(hiding)).toThrow("belong to no file");
  }
});
