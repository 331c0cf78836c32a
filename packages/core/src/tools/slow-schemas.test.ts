import { type AnyTool, defineTool } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createOutputSchema } from "../schemas/output-schema.ts";
import { describeInput } from "./described-input.ts";
import { parseInput } from "./execute-tool.ts";

/** Patterns that take years on such a text when the engine backtracks. */
const catastrophic: [pattern: string, text: string][] = [
  ["^(a+)+$", `${"a".repeat(60)}!`],
  ["^(a|aa)+$", `${"a".repeat(90)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(20)}${"a".repeat(60)}!`],
];

const jsonSchema = (pattern: string) => ({
  type: "object" as const,
  properties: { text: { type: "string", pattern } },
  required: ["text"],
});

const isSoak = process.env.SOAK_FACTOR !== undefined;
const inputs: [kind: string, input: (pattern: string) => AnyTool["input"]][] = [
  ["a Zod object", (pattern) => z.object({ text: z.string().regex(new RegExp(pattern)) })],
  ["a JSON Schema", (pattern) => describeInput(jsonSchema(pattern))],
  [
    "a check of an MCP server's schema",
    (pattern) => {
      const expression = new RegExp(pattern);
      const problems = (input: unknown) => (expression.test(Reflect.get(Object(input), "text")) ? [] : ["text: no"]);
      return { jsonSchema: jsonSchema(pattern), problems };
    },
  ],
];

/** Each check takes two seconds of a core, so that `npm test` checks one pattern of each kind, and `npm run soak` all. */
describe.each(inputs)("a pattern of %s that takes too long", (kind, toInput) => {
  const own = inputs.findIndex(([other]) => other === kind);
  test.each(catastrophic.filter((_, index) => isSoak || index === own))(
    "/%s/ ends with a reply, and the tool is not called",
    { timeout: 60_000 },
    async (pattern, text) => {
      const input = toInput(pattern);
      const tool = defineTool({ name: "find", description: "Finds.", input, execute: async () => "found" });
      const started = performance.now();
      expect(await parseInput(tool, { text })).toEqual({
        ok: false,
        reply: expect.stringMatching(/^The input of find could not be checked: a pattern of its schema takes too long/),
      });
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(await parseInput(tool, { text: "aaaa" })).toEqual({ ok: true, input: { text: "aaaa" } });
      expect(await parseInput(tool, { text: "!" })).toMatchObject({ ok: false });
    },
  );
});

test("a pattern for the names of properties that takes too long makes a schema unusable", { timeout: 60_000 }, () => {
  const [pattern, name] = catastrophic[0] ?? ["", ""];
  const slow = (required: string) => ({ type: "object", required: [required], patternProperties: { [pattern]: {} } });
  expect(() => describeInput(slow(name))).toThrow("takes too long on the name");
  expect(describeInput(slow("aaaa")).problems({ aaaa: 1 })).toEqual([]);
});

test("an object whose schema has a pattern that takes too long is requested again", { timeout: 60_000 }, async () => {
  const [pattern, text] = catastrophic[0] ?? ["", ""];
  for (const schema of [
    createOutputSchema(jsonSchema(pattern)),
    createOutputSchema(z.object({ text: z.string().regex(new RegExp(pattern)) })),
  ]) {
    expect(await schema.validate({ text })).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining("takes too long") }],
    });
    expect(await schema.validate({ text: "aaaa" })).toEqual({ ok: true, value: { text: "aaaa" } });
  }
});
