import { expect, test } from "vitest";
import type { ContentBlock, HostMessage } from "../messages/messages.ts";
import { ObservedTranscript } from "./observed-transcript.ts";

const says = (id: string, ...content: ContentBlock[]): HostMessage => ({
  type: "assistant",
  message: { id, model: "m", content, usage: null },
});
const text = (said: string): ContentBlock => ({ type: "text", text: said });
const call = (id: string, input: unknown = {}): ContentBlock => ({
  type: "tool_use",
  id,
  name: "mcp__bridle__look",
  input,
});
const result = (id: string, content: unknown, is_error?: boolean): HostMessage => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content, ...(is_error && { is_error }) }] },
});
const begins = (id: string, parts: object = {}): HostMessage => ({
  type: "stream_event",
  event: { type: "message_start", message: { id, model: "m", usage: noTokens } },
  ...parts,
});
const noTokens = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function observe(...messages: HostMessage[]) {
  const transcript = new ObservedTranscript();
  for (const message of messages) transcript.observe(message);
  return transcript.messages;
}

test("the host's answers and results become a history without the model's thinking", () => {
  const messages = observe(
    begins("1"),
    says("1", { type: "thinking", thinking: "Hm." }),
    says("1", text("Let me see.")),
    says("1", call("a", { at: 1 })),
    says("1", call("b")),
    result("a", [{ type: "text", text: "seen" }]),
    result("b", "broken", true),
    begins("2"),
    says("2", { type: "redacted_thinking" }, text("So.")),
  );
  expect(messages).toEqual([
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me see." },
        { type: "tool-call", callId: "a", tool: "look", input: { at: 1 } },
        { type: "tool-call", callId: "b", tool: "look", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool-result", callId: "a", output: "seen", isError: false },
        { type: "tool-result", callId: "b", output: "broken", isError: true },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "So." }] },
  ]);
});

test.each<[string, HostMessage[]]>([
  ["nothing was answered", []],
  ["the answer ends in a call", [says("1", call("a"))]],
  ["the answer ends in results", [says("1", call("a")), result("a", "seen")]],
  ["the answer is only thinking", [says("1", { type: "thinking", thinking: "Hm." })]],
  ["the model was made to continue", [says("1", text("One")), says("2", text("two"))]],
  ["a response came after the answer", [says("1", text("One")), begins("2")]],
  ["a response was empty", [begins("1"), begins("2"), says("2", text("Two"))]],
  ["a response has begun", [begins("1")]],
  ["a response broke off", [begins("1", { abandoned_blocks: { from_block_index: 0 } }), says("2", text("Two"))]],
  ["the host wrote the answer itself", [{ ...says("1", text("No.")), error: "rate_limit" } as HostMessage]],
  ["a subagent answered", [{ ...says("1", text("Hi.")), parent_tool_use_id: "x" } as HostMessage]],
  ["a block has an unknown kind", [says("1", { type: "other" }, text("So."))]],
  ["an input is not an object", [says("1", call("a", "malformed")), result("a", "bad"), says("2", text("So."))]],
  ["a result has parts", [says("1", call("a")), result("a", [{ type: "image" }]), says("2", text("So."))]],
  ["the host added a message", [{ type: "user", message: { content: [text("Go on.")] } }, says("1", text("So."))]],
])("a transcript is unknown if %s", (_where, messages) => {
  expect(observe(...messages)).toBeUndefined();
});
