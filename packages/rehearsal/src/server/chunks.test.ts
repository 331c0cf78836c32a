import fc from "fast-check";
import { expect, test } from "vitest";
import type { Chunks } from "../script/script.ts";
import { toChunks } from "./chunks.ts";

const anyChunks: fc.Arbitrary<Chunks> = fc.oneof(
  fc.constantFrom<Chunks>("events", "inside-characters"),
  fc.integer({ min: 1, max: 20 }),
);

test("the chunks join to the text, under any division", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), anyChunks, (text, chunks) => {
      const joined = Buffer.concat([...toChunks(text, chunks)]);
      expect(joined).toEqual(Buffer.from(text));
    }),
  );
});

test("every multi-byte character is split if the script says so", () => {
  const chunks = [...toChunks("aé😀b", "inside-characters")].map((bytes) => [...bytes]);
  expect(chunks).toEqual([
    [0x61, 0xc3],
    [0xa9, 0xf0],
    [0x9f, 0x98, 0x80, 0x62],
  ]);
});

test("a number is the size of a chunk", () => {
  expect([...toChunks("abcdefg", 3)].map((bytes) => bytes.length)).toEqual([3, 3, 1]);
});

test("without a division, an event is one chunk, and an empty event has none", () => {
  expect([...toChunks("abc", "events")]).toHaveLength(1);
  expect([...toChunks("", "events")]).toHaveLength(0);
});
