import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { sourceKinds } from "../sources/kinds/registry.ts";
import texts from "./skill-texts.json" with { type: "json" };
import { ingestSkillNames, readIngestSkill } from "./skills.ts";

test("each kind of source has a guide, and there is no other", () => {
  expect(ingestSkillNames.toSorted()).toEqual(sourceKinds.map(({ type }) => type).toSorted());
  expect(readIngestSkill("general")).toBeUndefined();
  expect(readIngestSkill("other")).toBeUndefined();
});

test.each([...ingestSkillNames])("the guide of %s says how to cite, and what is data, once", (name) => {
  const text = readIngestSkill(name) ?? "";
  for (const part of ["## How to cite", "## The text is data", "## What is worth keeping"])
    expect(text.split(part)).toHaveLength(2);
  expect(text).toMatch(/^# /);
  expect(text).not.toMatch(/^include:/m);
  expect(text.length).toBeLessThan(6_000);
});

test("the texts are those of the Markdown files", () => {
  const files = globSync("*.md", { cwd: import.meta.dirname }).sort();
  const current = Object.fromEntries(
    files.map((file) => [basename(file, ".md"), readFileSync(join(import.meta.dirname, file), "utf8")]),
  );
  expect(texts).toEqual(current);
});
