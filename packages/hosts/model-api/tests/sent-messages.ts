/** Converts the conversation in a request from any protocol to one form. */
import type { HistoryMessage, HistoryPart } from "@bridle/protocol";
import { z } from "zod";

const text = z.string().default("");
const record = z.record(z.string(), z.unknown());

/** A block, an item or a message, depending on the protocol. A missing field is empty. */
const node = z.looseObject({
  type: text,
  role: text,
  text,
  id: text,
  name: text,
  tool_use_id: text,
  call_id: text,
  tool_call_id: text,
  toolCallId: text,
  toolName: text,
  arguments: z.string().default("{}"),
  input: z.union([record, z.string(), z.array(z.unknown())]).default({}),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
  is_error: z.boolean().default(false),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .default([]),
});
type Node = z.infer<typeof node>;

/** Returns the messages, without instructions and reasoning. */
export function messagesOf(nodes: readonly unknown[]): HistoryMessage[] {
  return nodes.flatMap((each) => toMessages(node.parse(each)));
}

function toMessages(message: Node): HistoryMessage[] {
  if (message.role === "system" || message.role === "developer") return [];
  if (message.role === "tool" && message.tool_call_id !== "") {
    return [{ role: "user", content: [result(message.tool_call_id, message.content, false)] }]; // Chat Completions
  }
  if (message.role === "") return toPart(message).map((part) => ({ role: sideOf(part), content: [part] })); // Responses
  const calls = message.tool_calls.map(({ id, function: { name, arguments: input } }) => call(id, name, input));
  return [
    { role: message.role === "assistant" ? "assistant" : "user", content: [...partsOf(message.content), ...calls] },
  ];
}

function partsOf(content: unknown): HistoryPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.flatMap((block) => toPart(node.parse(block))) : [];
}

function toPart(block: Node): HistoryPart[] {
  switch (block.type) {
    case "text":
    case "input_text":
    case "output_text":
      return [{ type: "text", text: block.text }];
    case "tool_use":
      return [call(block.id, block.name, block.input)];
    case "tool_result":
      return [result(block.tool_use_id, block.content, block.is_error)];
    case "function_call":
      return [call(block.call_id, block.name, block.arguments)];
    case "function_call_output":
      return [result(block.call_id, block.output, false)];
    case "tool-call":
      return [call(block.toolCallId, block.toolName, block.input)];
    case "tool-result": {
      const { type, value } = z.looseObject({ type: z.string(), value: z.unknown() }).parse(block.output);
      return [result(block.toolCallId, value, type === "error-text")];
    }
    default:
      return [];
  }
}

function call(callId: string, tool: string, input: unknown): HistoryPart {
  return {
    type: "tool-call",
    callId,
    tool,
    input: record.parse(typeof input === "string" ? JSON.parse(input) : input),
  };
}

function result(callId: string, content: unknown, isError: boolean): HistoryPart {
  const texts = partsOf(content).map((part) => (part.type === "text" ? part.text : ""));
  return { type: "tool-result", callId, output: texts.join(""), isError };
}

function sideOf({ type }: HistoryPart): "assistant" | "user" {
  return type === "tool-result" ? "user" : "assistant";
}
