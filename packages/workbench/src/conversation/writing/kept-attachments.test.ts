import { expect, test } from "vitest";
import { keepAttachments, readAttachments } from "./kept-attachments.ts";

/** Creates the storage of a tab, with space for `room` characters. */
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

const file = { name: "invoice.pdf", mediaType: "application/pdf", data: "A".repeat(400) };

test("what is attached is kept for a reload, each session by itself, until it is sent", () => {
  const storage = createStorage(1000);
  keepAttachments("s", [file], storage);
  expect(readAttachments("s", storage)).toEqual({ attachments: [file], lost: [] });
  expect(readAttachments("other", storage)).toEqual({ attachments: [], lost: [] });
  keepAttachments("s", [], storage);
  expect(readAttachments("s", storage)).toEqual({ attachments: [], lost: [] });
});

test("of files that the storage has no room for, the names are kept", () => {
  const storage = createStorage(200);
  keepAttachments("s", [file, { ...file, name: "second.pdf" }], storage);
  expect(readAttachments("s", storage)).toEqual({ attachments: [], lost: ["invoice.pdf", "second.pdf"] });
});

test("a storage with something else in it attaches nothing", () => {
  for (const text of ["{", "[]", "7", '{"attachments":[1],"lost":[]}']) {
    expect(readAttachments("s", { ...createStorage(0), getItem: () => text })).toEqual({ attachments: [], lost: [] });
  }
});
