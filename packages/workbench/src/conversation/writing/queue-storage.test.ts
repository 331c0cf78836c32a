import { expect, test } from "vitest";
import { readQueue, writeQueue } from "./queue-storage.ts";

function createStorage(room: number) {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
  };
}

const plain = { id: "1", prompt: "first" };
const withFile = {
  id: "2",
  prompt: "second",
  attachments: [{ name: "a.pdf", mediaType: "application/pdf", data: "A".repeat(400) }],
};

test("messages that wait are there after a reload", () => {
  const storage = createStorage(1000);
  writeQueue("s", [plain, withFile], storage);
  expect(readQueue("s", storage)).toEqual([plain, withFile]);
  writeQueue("s", [], storage);
  expect(readQueue("s", storage)).toEqual([]);
});

test("a message whose files have no room is kept with their names, so that it is not sent without them", () => {
  const storage = createStorage(200);
  writeQueue("s", [plain, withFile], storage);
  expect(readQueue("s", storage)).toEqual([plain, { id: "2", prompt: "second", lost: ["a.pdf"] }]);
});
