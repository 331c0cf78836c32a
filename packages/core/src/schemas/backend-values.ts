/** Checks values that a backend passes in, because anyone can write a backend. */
import { BackendCrashError, preview, type ToolCall } from "@bridle/protocol";
import { z } from "zod";

const callSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  input: z.unknown().optional(),
  streamId: z.string().optional(),
});

/** Checks a call. A call without an id or a name is invalid and ends the run. */
export function checkBackendCall(call: ToolCall): ToolCall {
  const parsed = callSchema.safeParse(call);
  if (parsed.success) return { ...parsed.data, input: parsed.data.input };
  throw new BackendCrashError(`The backend made a tool call of ${preview(call)}, which is not a valid call.`);
}

/** Copies a host's message, so that later changes by the host have no effect. A message that is not JSON is replaced with a description. */
export function copyJson(raw: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(raw) ?? "null");
  } catch {
    return preview(raw);
  }
}
