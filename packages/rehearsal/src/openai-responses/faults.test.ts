import { expect, test } from "vitest";
import { findResponsesFault } from "./faults.ts";
import { itemId } from "./item-ids.ts";
import { responsesRequest } from "./request.ts";

const user = { role: "user", content: "hello" };
const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "42" };
const faultOf = (input: unknown, more = {}) =>
  findResponsesFault(responsesRequest.parse({ model: "m", input, ...more }));

test("a history in which every call has its output is accepted, and so is a plain text", () => {
  expect(faultOf([user, call, output, { role: "assistant", content: "42" }, user])).toBeUndefined();
  expect(faultOf("hello")).toBeUndefined();
});

test("an output without its call, and a call without its output, are refused", () => {
  expect(faultOf([user, output])).toBe("No tool call found for function call output with call_id call_1.");
  expect(faultOf([user, output, call])).toMatch(/^No tool call found/);
  expect(faultOf([user, call, user])).toBe("No tool output found for function call call_1.");
});

test("the same holds for calls of custom tools, whose outputs are of their own kind", () => {
  const custom = { type: "custom_tool_call", call_id: "call_1", name: "patch", input: "x" };
  const result = { ...output, type: "custom_tool_call_output" };
  expect(faultOf([user, custom, result])).toBeUndefined();
  expect(faultOf([user, custom, output])).toBe("No tool call found for function call output with call_id call_1.");
  expect(faultOf([user, custom])).toBe("No tool output found for custom tool call call_1.");
});

test("a reference to an item that was not stored is refused", () => {
  const reference = (isStored: boolean) => ({ type: "item_reference", id: itemId("msg", "0a10", isStored) });
  expect(faultOf([user, reference(true), user])).toBeUndefined();
  expect(faultOf([user, reference(false), user])).toMatch(/^Item with id 'msg_unstored_0a10' not found\./);
  const reasoning = { type: "reasoning", id: itemId("rs", "0a1", false), summary: [] };
  expect(faultOf([user, reasoning])).toMatch(/not found/);
  expect(faultOf([user, { ...reasoning, encrypted_content: "x" }])).toBeUndefined();
  expect(faultOf([user], { previous_response_id: "resp_1" })).toMatch(/^Previous response with id 'resp_1' not found/);
});

const format = (schema: object, strict = true) => ({
  text: { format: { type: "json_schema", name: "answer", strict, schema } },
});
const inner = { type: "object", properties: { b: { type: "string" } }, required: ["b"] };

test.each([
  ["is open", inner, "In context=(), 'additionalProperties' is required"],
  ["leaves a property out", { ...inner, additionalProperties: false, required: [] }, "Missing 'b'."],
  [
    "is open within",
    {
      type: "object",
      additionalProperties: false,
      properties: { a: { type: "array", items: inner } },
      required: ["a"],
    },
    "In context=('properties', 'a', 'items')",
  ],
  ["is no object", { type: "array", items: {} }, "must be a JSON Schema of 'type: \"object\"'"],
])("a strict schema that %s is refused, for an answer and for a tool", (_, schema, reason) => {
  expect(faultOf([user], format(schema))).toContain(`Invalid schema for response_format 'answer': `);
  expect(faultOf([user], format(schema))).toContain(reason);
  expect(faultOf([user], format(schema, false))).toBeUndefined();
  const tools = [{ type: "function", name: "look", strict: true, parameters: schema }];
  expect(faultOf([user], { tools })).toContain(`Invalid schema for function 'look': `);
});

test("a strict schema that is closed at every depth is accepted", () => {
  const closed = { ...inner, additionalProperties: false };
  const schema = { type: "object", properties: { a: { anyOf: [closed, { type: "null" }] } }, required: ["a"] };
  expect(faultOf([user], format({ ...schema, additionalProperties: false }))).toBeUndefined();
});

test("JSON without a schema must be mentioned in the input", () => {
  const text = { format: { type: "json_object" } };
  expect(faultOf([user], { text })).toMatch(/must contain the word 'json'/);
  expect(faultOf([user], { text, instructions: "Answer in JSON." })).toBeUndefined();
});

test("tools with invalid or repeated names are refused", () => {
  const tools = (...names: string[]) => ({ tools: names.map((name) => ({ type: "function", name })) });
  expect(faultOf([user], tools("ok", "a b"))).toMatch(/^Invalid 'tools\[1\]\.name'/);
  expect(faultOf([user], tools("a", "a"))).toContain("'a' is used more than once");
  expect(faultOf([user], { tools: [{ type: "web_search" }, { type: "web_search" }] })).toBeUndefined();
});
