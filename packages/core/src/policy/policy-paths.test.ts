import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "./evaluate-policy.ts";
import { createPolicy, type Decision, type ToolRule } from "./policy-rules.ts";

const identity = { source: "the program" };
const permissions = { read: async () => [] };

/** Returns the decision about an input of `pay`, by default in mode `yolo`, which allows everything that no rule denies. */
async function decide(rules: readonly ToolRule[], input: unknown, mode: "yolo" | "normal" = "yolo"): Promise<Decision> {
  const call = { tool: "pay", input, annotations: {}, builtin: false, callId: "call", runId: "run", identity };
  return (await evaluatePolicy(createPolicy({ mode, rules }), call, permissions)).decision;
}

const deny: ToolRule[] = [{ tool: "pay", when: { "order.id": "^A-13$" }, then: "deny" }];
const allow: ToolRule[] = [{ tool: "pay", when: { "order.id": "^B-\\d+$" }, then: "allow" }];

const evasions: [what: string, input: unknown][] = [
  ["a nested field", { order: { id: "A-13" } }],
  ["a field whose name has a dot", { "order.id": "A-13" }],
  ["a nested field beside a harmless one whose name has a dot", { "order.id": "B-1", order: { id: "A-13" } }],
  ["a harmless nested field beside one whose name has a dot", { order: { id: "B-1" }, "order.id": "A-13" }],
  ["an object in a list", { order: [{ id: "B-1" }, { id: "A-13" }] }],
  ["a list of values", { order: { id: ["B-1", "A-13"] } }],
  ["lists of lists", { order: [[{ id: [["A-13"]] }]] }],
  ["an object of values", { order: { id: { value: "A-13" } } }],
  ["a field in other case", { Order: { ID: "A-13" } }],
  ["a field in other case beside a harmless one", { order: { id: "B-1", Id: "A-13" } }],
  ["a value in other case", { order: { id: "a-13" } }],
  ["leading and trailing line feeds", { order: { id: "\n\nA-13\n" } }],
  ["leading blanks, byte order marks and control characters", { order: { id: " \t\uFEFF\u00A0\u0000A-13" } }],
  ["zero-width characters", { order: { id: "A\u200B-\u206013" } }],
  ["full-width characters", { order: { id: "Ａ-１３" } }],
];

describe("a rule about order.id that denies", () => {
  test.each(evasions)("applies to %s", async (_what, input) => {
    expect(await decide(deny, input)).toBe("deny");
  });

  test.each([
    ["another value", { order: { id: "B-13" } }],
    ["the value in another field", { order: { name: "A-13" }, id: "A-13" }],
    ["a part of the path", { order: "A-13" }],
    ["an empty list", { order: [] }],
    ["no input", {}],
  ])("does not apply to %s", async (_what, input) => {
    expect(await decide(deny, input)).toBe("allow");
  });
});

describe("a rule about order.id that allows", () => {
  test.each([
    ["the value", { order: { id: "B-1" } }],
    ["the value in a field whose name has a dot", { "order.id": "B-1" }],
    ["a list in which every value fits", { order: [{ id: "B-1" }, { id: "B-2" }] }],
  ])("applies to %s", async (_what, input) => {
    expect(await decide(allow, input, "normal")).toBe("allow");
  });

  test.each([
    ...evasions,
    ["an empty list", { order: [] }],
    ["a field in other case alone", { order: { ID: "B-1" } }],
    ["another value behind a line feed", { order: { id: "A-13\nB-1" } }],
  ] as typeof evasions)("does not apply to %s", async (_what, input) => {
    expect(await decide(allow, input, "normal")).toBe("ask");
  });
});

test("an input that fits a rule only in one reading does not hide a later denial", async () => {
  const rules: ToolRule[] = [
    { tool: "pay", when: { "order.id": "^B-" }, then: "ask" },
    { tool: "pay", then: "deny" },
  ];
  expect(await decide(rules, { order: { id: "A-13" }, "order.id": "B-1" })).toBe("deny");
  expect(await decide(rules, { order: { id: "B-1" } })).toBe("allow"); // a question, which the mode answers
});

test("a statement with other blanks between its words is denied too", async () => {
  const rules: ToolRule[] = [{ tool: "pay", when: { sql: "^drop table" }, then: "deny" }];
  for (const sql of ["drop table a", "drop\ntable a", "\n DROP \t\r\n table a"])
    expect(await decide(rules, { sql })).toBe("deny");
  expect(await decide(rules, { sql: "select 'drop table'" })).toBe("allow");
  const others: ToolRule[] = [{ tool: "pay", when: { sql: "^(?!select)" }, then: "deny" }];
  expect(await decide(others, { sql: "select a\nfrom b" })).toBe("allow");
});

const names = fc.constantFrom("order", "id", "line", "a");
const padding = fc.string({
  unit: fc.constantFrom(" ", "\n", "\t", "\r", "\uFEFF", "\u00A0", "\u2028", "\u200B"),
  maxLength: 3,
});
const changedCase = (name: string) => fc.mixedCase(fc.constant(name));

/** Creates inputs that a tool may read as the value at the path: split at any dots, in lists, next to harmless fields. */
function spellings(path: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (path.length === 0)
    return fc.oneof(
      value,
      value.map((each) => ["harmless", each]),
    );
  return fc.integer({ min: 1, max: path.length }).chain((length) =>
    fc
      .record({
        key: changedCase(path.slice(0, length).join(".")),
        inner: spellings(path.slice(length), value),
        decoys: fc.dictionary(fc.oneof(names, fc.constant(path.join("."))), fc.constantFrom("harmless", null, {}, [])),
        inList: fc.boolean(),
        isFirst: fc.boolean(),
      })
      .map(({ key, inner, decoys, inList, isFirst }) => {
        const fields = isFirst ? { [key]: inner, ...without(decoys, key) } : { ...decoys, [key]: inner };
        return inList ? [{ [key]: "harmless" }, fields] : fields;
      }),
  );
}

function without(decoys: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(decoys).filter(([name]) => name !== key));
}

test("for all paths, no spelling of a value escapes a denial or gets a permission", async () => {
  const value = fc.tuple(padding, changedCase("evil"), padding).map((parts) => parts.join(""));
  const planned = fc
    .array(names, { minLength: 1, maxLength: 4 })
    .chain((path) => fc.record({ path: fc.constant(path.join(".")), input: spellings(path, value) }));
  await fc.assert(
    fc.asyncProperty(planned, async ({ path, input }) => {
      expect(await decide([{ tool: "pay", when: { [path]: "^evil$" }, then: "deny" }], input)).toBe("deny");
      expect(await decide([{ tool: "pay", when: { [path]: "^harmless$" }, then: "allow" }], input, "normal")).toBe(
        "ask",
      );
      expect(await decide([{ tool: "pay", when: { [path]: "^absent$" }, then: "deny" }], input)).toBe("allow");
    }),
    { numRuns: 300 * Number(process.env.SOAK_FACTOR ?? 1) },
  );
});
