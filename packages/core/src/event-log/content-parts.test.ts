import fc from "fast-check";
import { expect, test } from "vitest";
import { joinParts, splitIntoParts } from "./content-parts.ts";

/** Creates a store of parts in memory that counts the bytes added to it. */
function createParts() {
  const parts = new Map<string, Buffer>();
  let added = 0;
  return {
    get added() {
      return added;
    },
    put: (content: Buffer) =>
      splitIntoParts(content, (id, part) => {
        const key = id.toString("hex");
        if (!parts.has(key)) added += part.length;
        parts.set(key, part);
      }),
    read: (id: Buffer) => parts.get(id.toString("hex")),
    drop: (key: string) => parts.delete(key),
    keys: () => [...parts.keys()],
  };
}

test("a content of any bytes and length is joined from its parts", () => {
  const piece = fc.uint8Array({ maxLength: 5000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 30 })), { maxLength: 5 }), (pieces) => {
      const parts = createParts();
      const content = Buffer.concat(pieces.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes)));
      const root = parts.put(content);
      expect(joinParts(root, parts.read)?.equals(content)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("a content with a missing part is not joined", () => {
  const parts = createParts();
  const root = parts.put(Buffer.from(words(200_000, 1)));
  for (const key of parts.keys()) {
    const others = createParts();
    others.put(Buffer.from(words(200_000, 1)));
    others.drop(key);
    expect(joinParts(root, others.read)).toBeUndefined();
  }
});

test("what a turn adds does not grow with the conversation before it", () => {
  const added = [100, 1000, 4000].map((turns) => {
    const parts = createParts();
    const messages = Array.from({ length: turns }, (_, index) => words(2000, index));
    const before = parts.put(inputOf(messages)) && parts.added;
    for (let next = 0; next < 10; next++) {
      messages.push(words(2000, turns + next));
      parts.put(inputOf(messages));
    }
    return (parts.added - before) / 10;
  });
  expect(Math.max(...added)).toBeLessThan(30_000);
});

/** Creates a model's input, with the messages in the middle. */
function inputOf(messages: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify({ builtins: [], messages, model: "m", system: words(3000, -1) }));
}

/** Creates words in a pseudo-random order that is the same in each run of the test. */
function words(length: number, seed: number): string {
  let state = seed + 7;
  let text = "";
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text += `${state.toString(36)} `;
  }
  return text.slice(0, length);
}
