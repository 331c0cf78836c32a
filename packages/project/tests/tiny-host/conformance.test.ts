import {
  type ScriptedFailure,
  type ScriptedModel,
  type ScriptedStep,
  type SentRequest,
  testBackend,
} from "@bridle/conformance";
import { type HistoryMessage, omitUndefined } from "@bridle/protocol";
import { defineScript, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { z } from "zod";
import { createTinyBackend } from "./backend.ts";

const skip = {
  ...notHere("its server does not stream", [
    "streams text in deltas that join to the completed text",
    "names the blocks of texts and calls if it was asked to, so that pieces join to the whole",
    "streams the input of calls if it was asked to, in pieces that join to the input",
    "delivers characters whole that arrived in two pieces",
    "continue after a stream breaks off, and the text streamed so far is void",
    "make no call of a response that broke off, and log no text twice",
    "comes within a second of stop() while the model is silent",
    "keeps the model's text so far",
    "comes for every run in progress when the runtime is closed",
    "continues after a stopped run",
    "count every request: also a response that broke off, with the tokens of its prompt",
    "have a cost that says it is a part, or none, if a response broke off",
    "have a cost that says it is a part, or none, if the run is stopped during a response",
  ]),
  ...notHere("its server reports a rate, but no window that is used up", [
    "that fails with usage limit is a UsageLimitError",
    "reports when a used-up window opens again",
    "with a used-up window is waited for if the caller chose it, and then answers the same request",
    "gets no request while a run waits, and stopping the run ends the wait",
    "holds queued and new runs while one waits, and answers all of them afterwards",
    "that is used up after a tool call repeats no effect",
  ]),
  ...notHere("it is too small for that", [
    "has the messages of the host if it was asked for them, and no event for them otherwise",
    "are requested again in the same step if their input does not fit, and then run",
  ]),
  ...notHere("it accepts no images", [
    "in a prompt reach the model",
    "in a tool result reach the model, and are logged with the result",
    "in the result of a failed call reach the model, and are known in the next run of a session",
    "in a tool result are still known in the next run of a session",
  ]),
  ...notHere("it has no tools of its own", [
    "apply to the host's own tools as to any other",
    "hide the host's own tools that they disable, and apply the mode to the others",
  ]),
};

testBackend("tiny", {
  skip,
  async start(model) {
    const rehearsal = await startRehearsal({ script: defineScript(toScript(model)) });
    const backend = createTinyBackend({ url: rehearsal.url, token: "t" });
    return { backend, model: "tiny-1", sent: () => rehearsal.requests.map(toSent), close: rehearsal.close };
  },
});

function notHere(reason: string, titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, reason]));
}

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

/** Converts a request to the form that the suite compares. */
function toSent({ body }: { readonly body?: unknown }): SentRequest {
  const { messages, tools } = request.parse(body);
  const textsOf = (...roles: readonly string[]) =>
    messages.flatMap(({ role, content }) => (roles.includes(role) ? [content ?? ""] : []));
  return {
    system: textsOf("system").join("\n"),
    tools: tools.map(({ function: { parameters: inputSchema, ...tool } }) => ({ ...tool, inputSchema })),
    texts: textsOf("user", "tool"),
    messages: messages.flatMap(({ role, content, tool_call_id: callId, tool_calls }): HistoryMessage[] => {
      if (role === "system") return [];
      if (role === "tool") {
        const result = { type: "tool-result" as const, callId, output: content ?? "", isError: false };
        return [{ role: "user", content: [result] }];
      }
      const text = content ? [{ type: "text" as const, text: content }] : [];
      const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => ({
        type: "tool-call" as const,
        callId: id,
        tool: name,
        input: z.record(z.string(), z.unknown()).parse(JSON.parse(json)),
      }));
      return [{ role, content: [...text, ...calls] }];
    }),
  };
}
