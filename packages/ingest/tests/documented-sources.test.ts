import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseSourceSettings } from "../src/definitions.ts";
import { sourceKinds } from "../src/sources/kinds/registry.ts";

const text = readFileSync(join(import.meta.dirname, "../../../docs/guides/data/ingest-sources.md"), "utf8");
const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

test.each(blocks)("the settings in the guide are right: %s", (code) => {
  const entries = Object.entries(parse(code) as Record<string, unknown>);
  expect(entries).toHaveLength(1);
  for (const [name, settings] of entries) expect(parseSourceSettings(name, settings)).toBeDefined();
});

test("the guide has each kind of source", () => {
  expect(sourceKinds.filter(({ type }) => !text.includes(`\`${type}\``)).map(({ type }) => type)).toEqual([]);
});
