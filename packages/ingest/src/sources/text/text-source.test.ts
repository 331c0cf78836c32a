import { expect, test } from "vitest";
import { fetchSource } from "../testing/collect-fetch-for-tests.ts";

const now = () => new Date("2026-03-05T12:00:00Z");

test.each([
  [
    { text: "# Fares\n\nIn cents." },
    { title: "Fares", text: "# Fares\n\nIn cents.", updatedAt: "2026-03-05T12:00:00.000Z" },
  ],
  [{ text: "Gross fare is before refunds.\nMore." }, { title: "Gross fare is before refunds." }],
  [{ text: "---\ntitle: T\ndate: 2026-01-02\n---\nx y" }, { title: "T", text: "x y", updatedAt: "2026-01-02" }],
  [
    { text: "x", title: "Note", authority: "certified" },
    { title: "Note", authority: "certified" },
  ],
])("%j is one item", async (settings, expected) => {
  const { items, isComplete } = await fetchSource({ type: "text", ...settings }, { now });
  expect(items).toMatchObject([{ id: "text", kind: "text", authority: "document", ...expected }]);
  expect(isComplete).toBe(true);
});

test("without a text, the standard input is read", async () => {
  const { items } = await fetchSource({ type: "text" }, { now, readInput: async () => "Piped in." });
  expect(items).toMatchObject([{ text: "Piped in." }]);
});

test.each([
  [{}, {}, "The source test has no text, and there is no standard input. Pass one of them."],
  [{ text: " \n" }, {}, "The text of test is empty. Pipe in a text."],
  [{ text: "x".repeat(2_000_001) }, {}, "The text of test is longer than 2,000,000 characters. Split it."],
])("a text that cannot be read is an error", async (settings, services, message) => {
  await expect(fetchSource({ type: "text", ...settings }, services)).rejects.toThrow(message);
});
