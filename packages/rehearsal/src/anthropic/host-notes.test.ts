import { expect, test } from "vitest";
import { ownResult, ownWords } from "./host-notes.ts";

const note = "<system-reminder>\nMind the todo list.\n</system-reminder>";

test.each([
  ["12 orders", "12 orders"],
  ["12 orders\n", "12 orders\n"],
  [`12 orders\n\n${note}`, "12 orders"],
  [`12 orders\n\n${note}\n\n${note}\n`, "12 orders"],
  [`before ${note} after`, `before ${note} after`],
  ["</system-reminder>", "</system-reminder>"],
  [note, ""],
])("the result of a tool has no reminder of the host after it: %j", (given, expected) => {
  expect(ownResult(given)).toBe(expected);
});

test("the words of a person have no reminder of the host, and one without an end is kept", () => {
  expect(ownWords(`${note}Where is it?${note}`)).toBe("Where is it?");
  expect(ownWords("<system-reminder>Where is it?")).toBe("<system-reminder>Where is it?");
});

test("many reminders without an end are read in time proportional to their number", () => {
  const text = "<system-reminder>".repeat(60_000);
  expect(ownWords(text)).toBe(text);
  expect(ownResult(text)).toBe(text);
});
