import { type RunEvent, type ToolReply, toJson } from "@bridle/protocol";
import { expect, test } from "vitest";
import { redactContent } from "../redaction/redact-content.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { begin, createTestBackend, createTestTool, expectLaws, natural, step } from "../runtime/runs-for-tests.ts";
import { describeInput } from "./described-input.ts";

/** Depths above the limit, including those that overflow the stack of recursive code in JSON, in Zod or in Bridle. */
const tooDeep = [257, 1000, 3000, 6000, 20_000, 100_000];
const kinds: Readonly<Record<string, (inner: unknown) => unknown>> = {
  lists: (inner) => [inner],
  objects: (inner) => ({ a: inner }),
  "lists and objects": (inner) => [{ a: inner }],
};
const cases = Object.keys(kinds).flatMap((kind) => tooDeep.map((levels) => ({ kind, levels })));

function nested(kind: string, levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += kind === "lists and objects" ? 2 : 1) value = kinds[kind]?.(value);
  return value;
}

const isTextOf = (event: RunEvent, word: string) => JSON.stringify(event).includes(word);

/** Runs a model that calls `t` with this input, then again with a plain input. */
async function runWith(input: unknown, execute: () => Promise<unknown> = async () => "ok") {
  const replies: ToolReply[] = [];
  const backend = createTestBackend(async (host) => {
    step(host);
    replies.push(await host.callTool({ callId: "1", tool: "t", input }));
    replies.push(await host.callTool({ callId: "2", tool: "t", input: { a: [1] } }));
    return natural;
  });
  return { replies, ...(await expectLaws(begin(backend, { tools: [createTestTool("t", execute as never)] }))) };
}

test.each(cases)(
  "a call whose input has $levels levels of $kind is denied with the limit",
  async ({ kind, levels }) => {
    const { replies, events, result } = await runWith({ a: nested(kind, levels) });
    expect(replies[0]).toMatchObject({ isError: true, output: expect.stringContaining("more than 256 levels") });
    expect(replies[1]).toEqual({ isError: false, output: "ok" });
    expect(events.filter(({ type }) => type === "tool.denied")).toHaveLength(1);
    expect(result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
  },
);

test.each(cases)(
  "the same input as a text of JSON with $levels levels of $kind is denied",
  async ({ kind, levels }) => {
    const [open, close] =
      { lists: ["[", "]"], objects: ['{"a":', "}"], "lists and objects": ['[{"a":', "}]"] }[kind] ?? [];
    const count = kind === "lists and objects" ? Math.ceil(levels / 2) : levels;
    const text = `{"a":${open?.repeat(count)}1${close?.repeat(count)}}`;
    const { replies } = await runWith(text);
    expect(replies[0]).toMatchObject({ isError: true, output: expect.stringContaining("more than 256 levels") });
  },
);

test.each(cases)(
  "a tool that returns $levels levels of $kind gets a result with the limit",
  async ({ kind, levels }) => {
    const structured = nested(kind, levels);
    const { replies } = await runWith({}, async () => ({ markdown: "seen", structured }));
    expect(replies[0]).toMatchObject({ isError: true, output: expect.stringContaining("more than 256 levels") });
  },
);

test.each(cases)("a stored text of $levels levels of $kind is redacted as a text", ({ kind, levels }) => {
  const [open, close] =
    { lists: ["[", "]"], objects: ['{"a":', "}"], "lists and objects": ['[{"a":', "}]"] }[kind] ?? [];
  const text = `${open?.repeat(levels)}"key-of-ada-4711"${close?.repeat(levels)}`;
  const clean = redactContent(text, createRedactor({ secrets: ["key-of-ada-4711"] }));
  expect(clean).not.toContain("key-of-ada-4711");
  expect(clean.length).toBeGreaterThan(levels);
});

test.each(cases)("a schema with $levels levels of $kind is refused with an error", ({ kind, levels }) => {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < levels; level++) {
    schema = kind === "lists" ? { type: "array", items: schema } : { type: "object", properties: { a: schema } };
  }
  expect(() => describeInput({ type: "object", properties: { a: schema } })).toThrow("more than 256 levels");
});

test("values of up to 256 levels pass as inputs, results and stored texts", async () => {
  const input = { a: nested("lists", 255) };
  expect(toJson(input)).toEqual(input);
  const { replies, events } = await runWith(input, async () => ({ markdown: "seen", structured: input }));
  expect(replies[0]).toEqual({ isError: false, output: "seen" });
  expect(events.some((event) => event.type === "tool.requested" && isTextOf(event, "[[[1]]]"))).toBe(true);
  expect(redactContent(JSON.stringify(input), createRedactor())).toBe(JSON.stringify(input));
});
