import { expect, test } from "vitest";
import { sourceKinds } from "./registry.ts";
import { parseSourceSettings, sourceSecretKeys, sourceSettings } from "./source-settings.ts";

test.each([
  [{ type: "documents", path: "docs", exclude: ["old/**"] }],
  [{ type: "notion", token: "ntn_x", pages: ["a"] }],
  [{ type: "dbt", path: "." }],
  [{ type: "metricflow", path: "." }],
  [{ type: "lookml", path: ".", schema: "main" }],
  [{ type: "osi", path: "m.yaml" }],
  [{ type: "cube", path: "." }],
  [{ type: "looker", url: "https://l.example.org", clientId: "a", clientSecret: "b" }],
  [{ type: "metabase", url: "https://m.example.org", apiKey: "k", databases: { Shop: "shop" } }],
  [{ type: "query_history", connection: "shop", days: 7 }],
  [{ type: "text" }],
])("%j is an entry of context.sources", (entry) => {
  expect(sourceSettings.parse(entry)).toEqual(entry);
});

test.each([
  [
    { type: "documents", path: "docs", exlude: [] },
    'The source wiki cannot be read: unknown key "exlude". Did you mean "exclude"?',
  ],
  [{ type: "notion", tokne: "x" }, 'The source wiki cannot be read: unknown key "tokne". Did you mean "token"?'],
  [{ type: "notoin" }, 'The source wiki cannot be read: there is no kind "notoin". Did you mean "notion"?'],
  [
    { type: "wiki" },
    'The source wiki cannot be read: there is no kind "wiki". There are: documents, notion, dbt, metricflow, lookml, osi, cube, looker, metabase, query_history, text.',
  ],
  [{ path: "x" }, /there is no kind undefined\. There are: documents/],
  [{ type: "documents" }, /path is wrong: /],
  [{ type: "documents", path: " " }, /path is wrong: /],
  [7, /there is no kind undefined/],
])("%j is refused with the nearest name", (entry, message) => {
  expect(() => parseSourceSettings("wiki", entry)).toThrow(message);
});

test("every key has a description, and every credential is known as one", () => {
  for (const { type, schema, secretKeys } of sourceKinds) {
    const keys = Object.entries(schema.shape).filter(([key]) => key !== "type");
    expect(keys.filter(([, value]) => !value.description).map(([key]) => `${type}.${key}`)).toEqual([]);
    const credentials = keys.filter(([key]) => /token|secret|password|apiKey/i.test(key)).map(([key]) => key);
    expect(credentials.filter((key) => !secretKeys.includes(key))).toEqual([]);
    expect(sourceSecretKeys).toEqual(expect.arrayContaining([...secretKeys]));
  }
});

test("a credential may be missing in a file, because its variable may not be set", () => {
  for (const entry of [
    { type: "notion" },
    { type: "looker", url: "https://l" },
    { type: "metabase", url: "https://m" },
  ])
    expect(sourceSettings.safeParse(entry).success).toBe(true);
});
