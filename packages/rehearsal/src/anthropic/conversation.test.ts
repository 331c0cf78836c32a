import { expect, test } from "vitest";
import { toAnthropicConversation } from "./conversation.ts";
import { messagesRequest } from "./request.ts";

type Block = Record<string, unknown>;
const read = (messages: { role: string; content: string | Block[] }[], more: Record<string, unknown> = {}) =>
  toAnthropicConversation(messagesRequest.parse({ model: "m", max_tokens: 1, messages, ...more }));

const user = (content: string | Block[]) => ({ role: "user", content });
const assistant = (content: string | Block[]) => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content: unknown) => ({ type: "tool_result", tool_use_id: id, content });

test("the newest message of the user selects the turn, and the answers after it count its steps", () => {
  const conversation = read([
    user("first"),
    assistant("answer"),
    user("second"),
    assistant([call("1", "look"), call("2", "find")]),
    user([result("1", "one"), result("2", [text("two"), text("three")])]),
  ]);
  expect(conversation).toMatchObject({ user: "second", turn: 2 });
  const results = [
    { tool: "look", text: "one" },
    { tool: "find", text: "two\nthree" },
  ];
  expect(conversation.answers).toEqual([{ results }]);
  expect(conversation.results).toEqual(results);
});

test("consecutive messages of the model are one answer", () => {
  expect(read([user("a"), assistant("b"), assistant([call("1", "x")]), user([result("1", "")])]).answers).toHaveLength(
    1,
  );
});

test("text of the host is no message of the user", () => {
  const reminder = text("<system-reminder>\nremember\n</system-reminder>");
  expect(read([user([reminder, text("hello")])]).user).toBe("hello");
  const loop = [user("hello"), assistant([call("1", "x")]), user([result("1", "r"), reminder])];
  expect(read(loop)).toMatchObject({ user: "hello", turn: 1, answers: [{}] });
  const nudge = "[structured-output-enforce] You MUST call the StructuredOutput tool.";
  expect(read([user("hello"), assistant("no"), user(nudge)])).toMatchObject({ user: "hello", answers: [{}] });
  expect(read([user("hello"), { role: "system", content: "the date" }])).toMatchObject({ user: "hello", answers: [] });
});

test("the rest of a response that was cut off is no answer", () => {
  const note = "Your response above was cut off mid-stream. Resume directly from where it stops.";
  const looked = [user("a"), assistant([call("1", "x")]), user([result("1", "r")])];
  expect(read([user("a"), assistant("I lo"), user(note)])).toMatchObject({ user: "a", turn: 1, answers: [] });
  expect(read([...looked, assistant("It i"), user(note)])).toMatchObject({ user: "a", turn: 1, answers: [{}] });
  expect(read([user("a"), assistant([call("1", "x")]), user([result("1", "r"), text(note)])]).answers).toHaveLength(1);
});

test("a prompt in the same message as the results of an interrupted turn begins a new turn", () => {
  const messages = [
    user("first"),
    assistant([call("1", "x")]),
    user([result("1", "stopped"), text("[Request interrupted by user for tool use]"), text("second")]),
  ];
  expect(read(messages)).toMatchObject({ user: "second", turn: 2, answers: [] });
});

test("prompts that Claude Code joins after a failed turn are separated, and the conversation stays the same", () => {
  const metadata = { user_id: '{"session_id":"1"}' };
  const joined = [user([text("first\n"), text("[Request interrupted by user]\n"), text("second")])];
  const alone = read([user("first")], { metadata });
  expect(read(joined, { metadata })).toMatchObject({ user: "second", turn: 2, answers: [], id: alone.id });
  expect(read([user([text("one"), text("two")])], { metadata })).toMatchObject({ user: "one\ntwo", turn: 1 });
});

test("parts of a prompt from another client stay one prompt", () => {
  expect(read([user([text("context:\n"), text("question")])])).toMatchObject({ user: "context:\nquestion", turn: 1 });
});

test("an image without text is a message of the user", () => {
  expect(read([user("first"), assistant("a"), user([{ type: "image" }])])).toMatchObject({ user: "", turn: 2 });
});

test("a conversation keeps its id as it grows, and has another id in another session or with another beginning", () => {
  const metadata = { user_id: "session-1" };
  const id = read([user("a")], { metadata }).id;
  expect(read([user("a"), assistant("b"), user("c")], { metadata }).id).toBe(id);
  expect(read([user("a")], { metadata: { user_id: "session-2" } }).id).not.toBe(id);
  expect(read([user("b")], { metadata }).id).not.toBe(id);
});

test("Claude Code's session identifies a conversation, but not the device, which can change", () => {
  const from = (device: string, session: string) => ({
    metadata: { user_id: JSON.stringify({ device_id: device, account_uuid: "", session_id: session }) },
  });
  const { id } = read([user("a")], from("1", "s"));
  expect(read([user("a")], from("2", "s")).id).toBe(id);
  expect(read([user("a")], from("1", "t")).id).not.toBe(id);
});

test.each([
  ["Claude Code's own", { tools: [{ name: "StructuredOutput" }] }, "StructuredOutput"],
  ["a tool that is forced", { tools: [{ name: "answer" }], tool_choice: { type: "tool", name: "answer" } }, "answer"],
  [
    "the AI SDK's, when some tool has to be called",
    { tools: [{ name: "json" }], tool_choice: { type: "any" } },
    "json",
  ],
  ["none, if no object is requested", { tools: [{ name: "json" }] }, undefined],
])("the tool for an object is %s", (_, more, name) => {
  expect(read([user("a")], more).objectTool).toBe(name);
});

test("the system prompt is a text or a list of blocks", () => {
  expect(read([user("a")], { system: "be kind" }).system).toBe("be kind");
  expect(read([user("a")], { system: [text("be"), text("kind")] }).system).toBe("be\nkind");
});

const tokens = "<system-reminder>\n<total_tokens>14999985 tokens left</total_tokens>\n</system-reminder>";
const mine = "a\n\n<system-reminder>\nmine\n</system-reminder>\n";

test.each<[string, unknown, string]>([
  ["a text block", [text("one\n"), text(tokens)], "one"],
  ["several blocks", [text("one"), text("two\n"), text(tokens)], "one\ntwo"],
  ["a string", `hi\n\n${tokens}`, "hi"],
  ["the string of a failed call", `Exit code 3\n\n${tokens}`, "Exit code 3"],
  ["a text that ends with a reminder of the tool", [text(`${mine}\n`), text(tokens)], mine],
])("a tool result is read without the note that the host adds after %s", (_, content, expected) => {
  const [found] = read([user("a"), assistant([call("1", "x")]), user([result("1", content)])]).results;
  expect(found?.text).toBe(expected);
});

test.each<[string, unknown, string]>([
  ["in a block", [text(mine)], mine],
  ["in a string", mine, mine],
  ["about tokens in the middle", `${tokens}\nmore`, `${tokens}\nmore`],
  ["that is all of it", [text("<system-reminder>x</system-reminder>")], "<system-reminder>x</system-reminder>"],
])("a tool result keeps a reminder of the tool itself %s", (_, content, expected) => {
  const conversation = read([user("a"), assistant([call("1", "x")]), user([result("1", content)])]);
  expect(conversation.results[0]?.text).toBe(expected);
});
