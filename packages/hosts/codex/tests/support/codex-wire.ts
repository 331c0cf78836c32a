/** Converts the requests that Codex sent to the form of the conformance suite. */
import { findImages, type SentRequest } from "@bridle/conformance";
import type { HistoryMessage, HistoryPart } from "@bridle/protocol";
import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";

const tool = z.looseObject({
  name: z.string().default(""),
  description: z.string().default(""),
  parameters: z.unknown().optional(),
});
const item = z.looseObject({
  type: z.string(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
  name: z.string().optional(),
  call_id: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  tools: z.array(z.looseObject({ tools: z.array(tool).default([]) })).optional(),
});
type Item = z.infer<typeof item>;
const request = z.looseObject({ model: z.string(), input: z.array(item), tools: z.array(tool).optional() });

export function modelRequests(requests: readonly RecordedRequest[]) {
  return requests.filter(({ path, method }) => method === "POST" && path.endsWith("/responses"));
}

export function sentRequests(requests: readonly RecordedRequest[]): SentRequest[] {
  return modelRequests(requests).map(({ body }) => toSent(body));
}

/** Converts a request. Older models get tools as a key of the request, newer models as an item of the input. */
function toSent(body: unknown): SentRequest {
  const { input, tools = [] } = request.parse(body);
  const added = input.flatMap((each) => each.tools ?? []).flatMap((namespace) => namespace.tools);
  const messages = input.filter(({ role }) => role !== "developer");
  return {
    system: input
      .filter(({ role }) => role === "developer")
      .flatMap(({ content }) => textsOf(content))
      .join("\n"),
    tools: [...tools, ...added].map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters,
    })),
    texts: messages
      .filter(({ role }) => role !== "assistant")
      .flatMap(({ content, output }) => [...textsOf(content), ...textsOf(output)]),
    messages: messages.flatMap(toMessage),
    images: findImages(messages),
  };
}

function toMessage({ type, role, content, output, ...call }: Item): HistoryMessage[] {
  const callId = call.call_id ?? "";
  if (type === "function_call") {
    const input = JSON.parse(call.arguments ?? "{}");
    return [{ role: "assistant", content: [{ type: "tool-call", callId, tool: call.name ?? "", input }] }];
  }
  if (type === "custom_tool_call") {
    const input = { patch: call.input };
    return [{ role: "assistant", content: [{ type: "tool-call", callId, tool: call.name ?? "", input }] }];
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return [
      { role: "user", content: [{ type: "tool-result", callId, output: textsOf(output).join(""), isError: false }] },
    ];
  }
  if (type !== "message") return [];
  const parts = textsOf(content).map((text): HistoryPart => ({ type: "text", text }));
  return parts.length === 0 ? [] : [{ role: role === "assistant" ? "assistant" : "user", content: parts }];
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { text?: unknown }) => (typeof part.text === "string" ? [part.text] : []));
}
