import { expect, test } from "vitest";
import { z } from "zod";
import { readIssues } from "../schemas/check-value.ts";
import { badInput, denied, describeProblems, unknownTool } from "./tool-replies.ts";

test("a reply to a bad input names each path, the expected and the received value", () => {
  const input = { id: 7, lines: [{ count: "2" }] };
  const schema = z.object({ id: z.string(), lines: z.array(z.object({ count: z.number() })) });
  const reply = badInput("t", describeProblems(problemsOf(schema, input)));
  expect(reply).toMatch(/^The input of t is not valid\. Call it again/);
  expect(reply).toContain("- id: Invalid input: expected string, received number; received 7");
  expect(reply).toContain('- lines[0].count: Invalid input: expected number, received string; received "2"');
});

test("a reply to an input with thousands of problems lists the first ones and counts the rest", () => {
  const reply = badInput(
    "t",
    describeProblems(problemsOf(z.object({ list: z.array(z.number()) }), { list: Array(5000).fill("x") })),
  );
  expect(reply.split("\n")).toHaveLength(22);
  expect(reply).toMatch(/- and 4980 more$/);
});

test("a reply to an input that is not an object describes the whole input", () => {
  expect(badInput("t", describeProblems(problemsOf(z.object({}), "text")))).toContain(
    '(input): Invalid input: expected object, received string; received "text"',
  );
});

test("a reply to an unknown tool suggests the nearest name and lists the available tools", () => {
  expect(unknownTool("lok_up", ["look_up", "add"])).toBe(
    'There is no tool "lok_up". Did you mean "look_up"? Available: look_up, add.',
  );
  expect(unknownTool("x", [])).toBe('There is no tool "x". No tools are available.');
  expect(unknownTool("x".repeat(10_000), ["a"]).length).toBeLessThan(300);
});

test("a denial names its rule and the reason", () => {
  expect(denied({ decision: "deny", rule: "no-shell", reason: "Not here." })).toBe(
    "This call was not allowed (no-shell). Not here.",
  );
  expect(denied({ decision: "deny", rule: "no-shell" })).toContain("Do not repeat it");
});

function problemsOf(schema: z.ZodType, input: unknown) {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.error) return readIssues(parsed.error);
  throw new Error("The input fits.");
}
