import { expect, test } from "vitest";
import type { ContentBlock, HostMessage } from "../messages/messages.ts";
import { ObservedTranscript } from "./observed-transcript.ts";

const says = (id: string, ...content: ContentBlock[]): HostMessage => ({
  type: "assistant",
  message: { id, model: "m", content, usage: null },
});
const text = (said: string): ContentBlock => ({ type: "text", text: said });
const call = (id: string, input: unknown = {}): ContentBlock => ({
  ...{ type: "tool_use", id, name: "mcp__bridle__look", input },
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
  ...{ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
};

function hear(...messages: HostMessage[]) {
  const heard = new ObservedTranscript();
  for (const message of messages) heard.observe(message);
  return heard.messages;
}

test("what the host says of its answers and of results is a history, without the model's thoughts", () => {
  const messages = hear(
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
  ["only thoughts came", [says("1", { type: "thinking", thinking: "Hm." })]],
  ["the model was made to go on", [says("1", text("One")), says("2", text("two"))]],
  ["a response came after the answer", [says("1", text("One")), begins("2")]],
  ["a response was empty", [begins("1"), begins("2"), says("2", text("Two"))]],
  ["a response has begun", [begins("1")]],
  ["a response broke off", [begins("1", { abandoned_blocks: { from_block_index: 0 } }), says("2", text("Two"))]],
  ["the host wrote the answer itself", [{ ...says("1", text("No.")), error: "rate_limit" } as HostMessage]],
  ["another agent spoke", [{ ...says("1", text("Hi.")), parent_tool_use_id: "x" } as HostMessage]],
  ["a block is of a kind that is not known", [says("1", { type: "other" }, text("So."))]],
  ["an input is no object", [says("1", call("a", "malformed")), result("a", "bad"), says("2", text("So."))]],
  ["a result has parts", [says("1", call("a")), result("a", [{ type: "image" }]), says("2", text("So."))]],
  ["the host put words in", [{ type: "user", message: { content: [text("Go on.")] } }, says("1", text("So."))]],
])("it is not known what the host holds where %s", (_where, messages) => {
  expect(hear(...messages)).toBeUndefined();
});
