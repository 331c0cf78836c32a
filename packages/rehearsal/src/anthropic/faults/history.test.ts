import { expect, test } from "vitest";
import { messagesRequest } from "../request.ts";
import { findAnthropicFault } from "./find-fault.ts";

const call = (id: string) => ({ role: "assistant", content: [{ type: "tool_use", id, name: "look", input: {} }] });
const result = (id: string) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: id }] });
const tool = (name: string) => ({ name, input_schema: { type: "object" } });
const user = { role: "user", content: "hello" };
const faultOf = (messages: unknown[], more = {}) =>
  findAnthropicFault(messagesRequest.parse({ model: "m", max_tokens: 1, messages, ...more }));

test("a history in which every call has its result right after it is accepted", () => {
  expect(faultOf([user, call("a"), result("a"), { role: "assistant", content: "done" }])).toBeUndefined();
  expect(faultOf([user, call("a"), { role: "system", content: "note" }, result("a")])).toBeUndefined();
});

test("a call without a result is refused", () => {
  expect(faultOf([user, call("a"), user])).toMatch(/^messages\.1: `tool_use` ids were found without .+: a\. /);
  expect(faultOf([user, call("a")])).toMatch(/^messages\.1: `tool_use`/);
});

test("a result without a call is refused", () => {
  expect(faultOf([user, { role: "assistant", content: "x" }, result("a")])).toMatch(
    /^messages\.2: unexpected `tool_use_id`.+: a\. /,
  );
  expect(faultOf([result("a")])).toMatch(/^messages\.0: unexpected/);
});

test("a history that begins with the model is refused", () => {
  expect(faultOf([{ role: "assistant", content: "x" }])).toBe("messages: first message must use the user role");
});

test("tools with invalid or repeated names are refused", () => {
  expect(faultOf([user], { tools: [tool("ok"), tool("a b")] })).toContain("tools.1.custom.name");
  expect(faultOf([user], { tools: [tool("a"), tool("a")] })).toBe("tools: Tool names must be unique.");
});
