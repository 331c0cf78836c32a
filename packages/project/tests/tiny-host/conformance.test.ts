import {
  type ScriptedFailure,
  type ScriptedModel,
  type ScriptedStep,
  type SentRequest,
  testBackend,
} from "@bridle/conformance";
import { omitUndefined } from "@bridle/protocol";
import { defineScript, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { z } from "zod";
import { createTinyBackend } from "./backend.ts";

testBackend("tiny", {
  async start(model) {
    const rehearsal = await startRehearsal({ script: defineScript(toScript(model)) });
    const backend = createTinyBackend({ url: rehearsal.url, token: "t" });
    return { backend, model: "tiny-1", sent: () => rehearsal.requests.map(toSent), close: rehearsal.close };
  },
});

function toScript(model: ScriptedModel): ScriptInput {
  const turns = model.map(({ prompt, steps }) => ({
    ...omitUndefined({ when: prompt === undefined ? undefined : { user: prompt } }),
    steps: steps.map(toStep),
  }));
  return { rehearsal: 1, turns: turns.toSorted((a, b) => Number("when" in b) - Number("when" in a)) } as ScriptInput;
}

function toStep({ calls, fail, promptTokens, resetsInSeconds: _, ...same }: ScriptedStep): object {
  return {
    ...same,
    ...(fail && failures[fail]),
    ...(calls && { calls: calls.map(({ tool, input }) => ({ call: tool, with: input })) }),
    ...(promptTokens !== undefined && { usage: { input: promptTokens } }),
  };
}

const failures: Readonly<Record<ScriptedFailure, object>> = {
  authentication: { status: 401 },
  billing: { status: 402 },
  "usage-limit": { status: 429 },
  "rate-limit": { status: 429 },
  overloaded: { status: 529 },
  "model-not-found": { status: 404 },
  "context-overflow": { status: 400, message: "prompt is too long" },
  "invalid-request": { status: 400, message: "messages: something is wrong" },
  "connection-lost": { reset: true },
};

const request = z.object({
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant", "tool"]),
      content: z.string().nullable(),
      tool_call_id: z.string().default(""),
      tool_calls: z
        .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
        .default([]),
    }),
  ),
  tools: z
    .array(z.object({ function: z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }) }))
    .default([]),
});

/** The request as the suite compares it. */
function toSent({ body }: { readonly body?: unknown }): SentRequest {
  const { messages, tools } = request.parse(body);
  const textsOf = (...roles: readonly string[]) =>
    messages.flatMap(({ role, content }) => (roles.includes(role) ? [content ?? ""] : []));
  return {
    system: textsOf("system").join("\n"),
    tools: tools.map(({ function: { parameters: inputSchema, ...tool } }) => ({ ...tool, inputSchema })),
    texts: textsOf("user", "tool"),
    messages: messages.flatMap(({ role, content, tool_call_id: callId, tool_calls }) => {
      if (role === "system") return [];
      if (role === "tool") {
        const result = { type: "tool-result" as const, callId, output: content ?? "", isError: false };
        return [{ role: "user" as const, content: [result] }];
      }
      const text = content ? [{ type: "text" as const, text: content }] : [];
      const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => ({
        ...{ type: "tool-call" as const, callId: id, tool: name },
        input: z.record(z.string(), z.unknown()).parse(JSON.parse(json)),
      }));
      return [{ role, content: [...text, ...calls] }];
    }),
  };
}
