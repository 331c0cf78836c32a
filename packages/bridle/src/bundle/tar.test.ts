import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packTar, unpackTar } from "./tar.ts";

const content = fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes));
const path = fc.stringMatching(/^[a-z][\w./-]{0,90}$/);

test("what is packed is unpacked as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ path, content })), (files) => {
      expect(unpackTar(packTar(files, new Date(1_700_000_000_000)))).toEqual(files);
    }),
  );
});

test("the system's tar reads it", () => {
  const archive = packTar([{ path: "a/b.txt", content: Buffer.from("hello\n") }], new Date(0));
  const { stdout, status } = spawnSync("tar", ["-xOf", "-", "a/b.txt"], { input: archive, encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "hello\n", status: 0 });
});

test("an archive that is cut off or damaged is refused", () => {
  const archive = packTar([{ path: "a", content: Buffer.alloc(2000, 1) }], new Date(0));
  expect(() => unpackTar(archive.subarray(0, 1024))).toThrow("the archive is cut off");
  const damaged = Buffer.from(archive);
  damaged[3] = 7;
  expect(() => unpackTar(damaged)).toThrow("a header is damaged");
  expect(() => packTar([{ path: "a".repeat(100), content: Buffer.alloc(0) }], new Date(0))).toThrow(RangeError);
});
