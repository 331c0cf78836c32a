import { expect, test } from "vitest";
import { ownWords } from "./host-notes.ts";

const note = "<system-reminder>\nMind the todo list.\n</system-reminder>";

test("the words of a person have no reminder of the host, and one without an end is kept", () => {
  expect(ownWords(`${note}Where is it?${note}`)).toBe("Where is it?");
  expect(ownWords("<system-reminder>Where is it?")).toBe("<system-reminder>Where is it?");
});

test("many reminders without an end are read in time proportional to their number", () => {
  const text = "<system-reminder>".repeat(60_000);
  expect(ownWords(text)).toBe(text);
});
