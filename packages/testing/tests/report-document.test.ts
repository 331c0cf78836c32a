/** Tests that the document lists exactly the keys of JSON results. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { testRunJsonSchema } from "../src/report/json.ts";
import { failureKinds } from "../src/result/trial-result.ts";

const document = await readFile(join(import.meta.dirname, "../../../docs/guides/agents/test-results.md"), "utf8");
const json = document.slice(document.indexOf("\n## JSON\n"), document.indexOf("\n## Read next\n"));

/** Returns the keys of all tables, each with the paths that precede its table. */
function documentedKeys(): string[] {
  return json.split(/^### /m).flatMap((section) => {
    const [places = ""] = /\nAt [^|]+?:\n/.exec(section) ?? [];
    const prefixes = [...places.matchAll(/`([\w.[\]]+)`/g)].map(([, path]) => `${path}.`);
    const keys = [...section.matchAll(/^\| `(\S+)` \|/gm)].map(([, key = ""]) => key);
    return (prefixes.length > 0 ? prefixes : [""]).flatMap((prefix) => keys.map((key) => `${prefix}${key}`));
  });
}

const nodeSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
});

function keysOf(schema: unknown, path = ""): string[] {
  const { properties, required, items, anyOf, oneOf } = nodeSchema.parse(schema);
  const own = Object.entries(properties).flatMap(([key, node]) => [
    `${path}${key}${required.includes(key) ? "" : "?"}`,
    ...keysOf(node, `${path}${key}.`),
  ]);
  const ofItems = items === undefined ? [] : keysOf(items, `${path.slice(0, -1)}[].`);
  return [...own, ...ofItems, ...[...anyOf, ...oneOf].flatMap((node) => keysOf(node, path))];
}

test("the document has every key of a run, and no other", () => {
  const documented = documentedKeys();
  expect(new Set(documented).size).toBe(documented.length);
  expect(documented.toSorted()).toEqual([...new Set(keysOf(testRunJsonSchema()))].sort());
});

test("the document names every kind of failure", () => {
  const [, row = ""] = /^\| `failures\[\]\.kind` \|([^|]*)\|/m.exec(json) ?? [];
  expect([...row.matchAll(/`([^`]+)`/g)].map(([, kind]) => kind)).toEqual([...failureKinds]);
});
