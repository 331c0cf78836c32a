/**
 * Threads: the API keeps a conversation, and the next request contains only the new messages and the id of the message that it continues.
 * If the API refuses a thread, clients send the whole conversation again, so each refusal has the API's error code.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ScriptAnswer } from "../engine/answer.ts";
import type { InvalidRequest, Memory, Reply } from "../protocol/protocol.ts";
import { firstProblem } from "../protocol/read-body.ts";
import { toAnthropicMessage } from "./message.ts";

/** A conversation as the client sent it, with the answer at its end. */
const thread = z.looseObject({
  messages: z.array(z.unknown()),
  system: z.unknown().optional(),
  tools: z.unknown().optional(),
});
type Thread = z.output<typeof thread>;

const threadRequest = thread.extend({
  thread: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("create") }),
    z.looseObject({ type: z.literal("continue"), previous_message_id: z.string() }),
  ]),
});

/** A request with the whole conversation. The server calls `keep` with its answer. */
interface OpenedThread {
  readonly body: unknown;
  keep?(answer: ScriptAnswer): void;
}

/** Adds the earlier messages of a kept conversation. A request without `thread` stays unchanged. */
export function openThread(body: unknown, memory: Memory): OpenedThread | InvalidRequest {
  if (typeof body !== "object" || body === null || !("thread" in body)) return { body };
  const parsed = threadRequest.safeParse(body);
  if (!parsed.success) return { problem: firstProblem(parsed.error) };
  const { thread: asked, ...request } = parsed.data;
  const whole = asked.type === "create" ? request : continued(request, memory.get(asked.previous_message_id));
  return "messages" in whole ? { body: whole, keep: (answer) => keepAnswer(whole, answer, memory) } : whole;
}

function continued(request: Thread, kept: unknown): Thread | InvalidRequest {
  const { data: earlier } = thread.safeParse(kept);
  if (earlier === undefined)
    return { problem: "thread: no thread was found for `previous_message_id`", status: 404, code: "thread_not_found" };
  const { system, tools } = earlier;
  const changed = (["system", "tools"] as const).filter(
    (field) => request[field] !== undefined && !isDeepStrictEqual(request[field], earlier[field]),
  );
  if (changed.length > 0)
    return { problem: `thread: ${changed.join(", ")} must not change`, code: "thread_fingerprint_mismatch" };
  return { ...request, system, tools, messages: [...earlier.messages, ...request.messages] };
}

function keepAnswer({ messages, system, tools }: Thread, answer: ScriptAnswer, memory: Memory): void {
  const { id, role, content } = toAnthropicMessage(answer, "");
  memory.set(id, { system, tools, messages: [...messages, { role, content }] } satisfies Thread);
}

/** Returns a reply that also keeps the answer, unless the answer is cut. */
export function keeping(reply: Reply, keep: (answer: ScriptAnswer) => void): Reply {
  if (reply.kind === "stream") {
    const events: typeof reply.events = (answer, ending) => {
      if (ending === "whole") keep(answer);
      return reply.events(answer, ending);
    };
    return { ...reply, events };
  }
  const body: typeof reply.body = (answer) => {
    keep(answer);
    return reply.body(answer);
  };
  return { ...reply, body };
}
