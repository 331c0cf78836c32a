import { expect, test } from "vitest";
import { parse } from "yaml";
import { insertConnections } from "./add-connections.ts";

const shop = { name: "shop", connection: { type: "sqlite", file: "shop.db" } };

test("a new bridle.yaml gets the connections", () => {
  expect(insertConnections("", [shop], "bridle.yaml").edited).toBe(
    "context:\n  connections:\n    shop:\n      type: sqlite\n      file: shop.db\n",
  );
});

test("connections are added to an existing file, whose comments and other keys stay", () => {
  const before =
    "# ours\nllm: # the model\n  models: { default: opus }\ncontext:\n  connections:\n    old: { type: sqlite, file: a.db } # kept\n";
  const { edited, added, kept } = insertConnections(before, [shop, { ...shop, name: "old" }], "bridle.yaml");
  expect(edited).toBe(`${before}    shop:\n      type: sqlite\n      file: shop.db\n`);
  expect({ added, kept }).toEqual({ added: ["shop"], kept: ["old"] });
});

test("a file in which nothing is new stays byte for byte", () => {
  const before = "context: { connections: { shop:   { type: sqlite } } }\r\n";
  expect(insertConnections(before, [shop], "bridle.yaml").edited).toBe(before);
});

test("a bridle.yaml that cannot be parsed is refused with its name", () => {
  expect(() => insertConnections("a: [", [shop], "bridle.yaml")).toThrow(/^bridle\.yaml: .*Mend the file first\.$/s);
  expect(() => insertConnections("- a", [shop], "bridle.yaml")).toThrow("bridle.yaml: is not a mapping of settings.");
});

test.each([
  ["without a final line break", "llm: { models: { default: opus } }"],
  ["with a context in braces", "context: { commit: true }\nllm: {}\n"],
  ["with an empty context", "context:\nllm: {}\n"],
  [
    "with keys after the connections",
    "context:\n    connections:\n        a: { type: sqlite, file: a }\n\n    # later\n    commit: true\nllm: {}\n",
  ],
  ["with a comment at the end", "context:\n  connections:\n    a:\n      type: sqlite\n      file: a\n  # the end\n"],
  ["with only comments", "# nothing yet\n"],
])("a file %s gets the connection and keeps its settings", (_, before) => {
  const { edited } = insertConnections(before, [shop], "bridle.yaml");
  const expected = parse(before) ?? {};
  expected.context = { ...expected.context, connections: { ...expected.context?.connections, shop: shop.connection } };
  expect(parse(edited)).toEqual(expected);
  for (const comment of before.match(/#.*/g) ?? []) expect(edited).toContain(comment);
});
