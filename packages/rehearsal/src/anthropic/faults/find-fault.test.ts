import { expect, test } from "vitest";
import { firstProblem } from "../../protocol/read-body.ts";
import { messagesRequest } from "../request.ts";
import { findAnthropicFault } from "./find-fault.ts";

const user = { role: "user", content: "hello" };
const call = (id: string, name = "look") => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input: {} }],
});
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const answered = (id: string) => ({ role: "user", content: [result(id)] });
const look = { name: "look", input_schema: { type: "object" } };
const image = (source: object) => ({
  role: "user",
  content: [{ type: "image", source: { type: "base64", ...source } }],
});
const cached = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
const png = "iVBORw0KGgo=";

function faultOf(request: object): string | undefined {
  const parsed = messagesRequest.safeParse({ model: "m", max_tokens: 2000, messages: [user], ...request });
  return parsed.success ? findAnthropicFault(parsed.data) : firstProblem(parsed.error);
}

test.each([
  ["a text", {}],
  ["calls with results", { messages: [user, call("toolu_1"), answered("toolu_1")], tools: [look] }],
  [
    "text after results",
    { messages: [user, call("a"), { role: "user", content: [result("a"), { type: "text", text: "?" }] }] },
  ],
  ["an empty last answer", { messages: [user, { role: "assistant", content: [] }] }],
  ["an image", { messages: [image({ media_type: "image/png", data: png })] }],
  ["four cache points", { messages: [{ role: "user", content: ["a", "b", "c", "d"].map(cached) }] }],
  ["a chosen tool", { tools: [look], tool_choice: { type: "tool", name: "look" } }],
  ["a tool of the API", { tools: [{ type: "web_search_20260209", name: "web_search" }] }],
  ["thinking within its limit", { thinking: { type: "enabled", budget_tokens: 1024 } }],
])("a request with %s is accepted", (_, request) => {
  expect(faultOf(request)).toBeUndefined();
});

test.each([
  [
    "an id with a colon",
    { messages: [user, call("a:b"), answered("a:b")] },
    "messages.1.content.0.tool_use.id: String should match pattern",
  ],
  [
    "a result's id with a space",
    { messages: [{ role: "user", content: [result("a b")] }] },
    "tool_result.tool_use_id: String should match pattern",
  ],
  [
    "a called tool with a dot in its name",
    { messages: [user, call("a", "a.b"), answered("a")] },
    "tool_use.name: String should match pattern",
  ],
  [
    "a call without an id",
    { messages: [user, { role: "assistant", content: [{ type: "tool_use", name: "look", input: {} }] }] },
    "tool_use.id: Field required",
  ],
  [
    "the same id twice",
    { messages: [user, call("a"), answered("a"), call("a"), answered("a")] },
    "messages.3: `tool_use` ids must be unique",
  ],
  [
    "a call by the user",
    { messages: [{ ...call("a"), role: "user" }] },
    "`tool_use` blocks can only be in `assistant` messages",
  ],
  [
    "a result by the assistant",
    { messages: [user, { role: "assistant", content: [result("a")] }] },
    "`tool_result` blocks can only be in `user` messages",
  ],
  [
    "a text before the result",
    { messages: [user, call("a"), { role: "user", content: [{ type: "text", text: "?" }, result("a")] }] },
    "`tool_use` ids were found without",
  ],
  ["an empty text", { messages: [{ role: "user", content: "" }] }, "text content blocks must be non-empty"],
  ["a blank text", { messages: [{ role: "user", content: " \n" }] }, "must contain non-whitespace text"],
  [
    "an empty message",
    { messages: [user, { role: "assistant", content: [] }, user] },
    "messages.1: all messages must have non-empty content",
  ],
  ["no message", { messages: [] }, "messages"],
  [
    "an answer that ends with a space",
    { messages: [user, { role: "assistant", content: "Dear " }] },
    "trailing whitespace",
  ],
  [
    "an image of an unknown type",
    { messages: [image({ media_type: "image/bmp", data: png })] },
    "image.source.base64.media_type",
  ],
  [
    "an image that is not base64",
    { messages: [image({ media_type: "image/png", data: "a b" })] },
    "invalid base64 data",
  ],
  ["an empty image", { messages: [image({ media_type: "image/png", data: "" })] }, "image cannot be empty"],
  [
    "five cache points",
    { system: [cached("s")], messages: [{ role: "user", content: ["a", "b", "c", "d"].map(cached) }] },
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
  ],
  ["a tool without a schema", { tools: [{ name: "look" }] }, "tools.0.custom.input_schema: Field required"],
  [
    "a schema that is no object",
    { tools: [{ name: "look", input_schema: { type: "string" } }] },
    "input_schema.type: Input should be 'object'",
  ],
  ["a choice without tools", { tool_choice: { type: "auto" } }, "may only be specified while providing tools"],
  [
    "a choice of an unknown tool",
    { tools: [look], tool_choice: { type: "tool", name: "find" } },
    "Tool 'find' not found",
  ],
  [
    "more thinking than its limit",
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    "`max_tokens` must be greater than",
  ],
  [
    "too little thinking",
    { thinking: { type: "enabled", budget_tokens: 10 } },
    "thinking.budget_tokens: Input should be greater than or equal to 1024",
  ],
  ["a temperature above 1", { temperature: 1.5 }, "temperature: Input should be less than or equal to 1"],
  ["no room for an answer", { max_tokens: 0 }, "max_tokens: Input should be greater than or equal to 1"],
])("a request with %s is refused", (_, request, fault) => {
  expect(faultOf(request)).toContain(fault);
});
