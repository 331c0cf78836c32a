import { costSchema, type EventLog, PlacedTranscript } from "@bridle/protocol";
import { z } from "zod";
import {
  type PlacedTranscriptView,
  placedTranscriptSchema,
  readUpTo,
  shortenTranscript,
} from "./placed-transcript-view.ts";

const seq = z.int().positive();

/** A run up to one of its events, and the events that the user can move between. */
export const replaySchema = z.strictObject({
  run: z.string(),
  firstSeq: seq,
  lastSeq: seq,
  /** The last event of the transcript. */
  at: seq,
  transcript: placedTranscriptSchema,
  /** The number of earlier entries that were not requested. */
  earlier: z.int().nonnegative(),
  /** The responses of the model in the whole run. */
  steps: z.array(z.strictObject({ index: seq, seq, time: z.number(), model: z.string().nullable() })),
  /** The rules that applied to calls. */
  decisions: z.array(
    z.strictObject({
      seq,
      callId: z.string(),
      tool: z.string(),
      decision: z.enum(["allow", "ask", "deny"]),
      rule: z.string(),
    }),
  ),
  /** The inputs of the model. Each artifact contains the whole input. */
  inputs: z.array(z.strictObject({ seq, turn: seq, artifact: z.string(), messages: z.int().nonnegative() })),
  /**
   * The expected fill of the context window after each response, in tokens, and the cost of the response if the host reported it.
   */
  usage: z.array(z.strictObject({ seq, tokens: z.int().nonnegative(), cost: costSchema.nullable() })),
  /** The context window of the model in tokens; `null` if the host did not report it. */
  contextWindow: z.int().positive().nullable(),
});
export type Replay = Omit<z.output<typeof replaySchema>, "transcript"> & { transcript: PlacedTranscriptView };

/**
 * Reads an existing run up to the event with the number `at` in its session. Default: its newest event. The transcript contains the last
 * `entries` up to that event. Default: all.
 */
export async function readReplay(
  eventLog: Pick<EventLog, "read">,
  run: string,
  at: number = Number.MAX_SAFE_INTEGER,
  entries: number = Number.MAX_SAFE_INTEGER,
): Promise<Replay> {
  const shown = new PlacedTranscript();
  const steps: Replay["steps"] = [];
  const decisions: Replay["decisions"] = [];
  const inputs: Replay["inputs"] = [];
  const usage: Replay["usage"] = [];
  const tools = new Map<string, string>();
  let contextWindow: number | null = null;
  let [firstSeq, lastSeq] = [0, 0];
  for await (const event of readUpTo(eventLog, { runId: run })) {
    if (firstSeq === 0 || event.seq <= at) shown.add(event);
    firstSeq ||= event.seq;
    lastSeq = event.seq;
    if (event.type === "step.started") {
      steps.push({ index: event.index, seq: event.seq, time: event.time, model: event.model ?? null });
    } else if (event.type === "tool.requested") {
      tools.set(event.callId, event.tool);
    } else if (event.type === "tool.evaluated") {
      const { seq, callId, decision, rule } = event;
      decisions.push({ seq, callId, tool: tools.get(callId) ?? "", decision, rule });
    } else if (event.type === "model.input") {
      inputs.push({ seq: event.seq, turn: event.turn, artifact: event.artifact, messages: event.messages.length });
    } else if (event.type === "step.finished") {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = event.usage;
      const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
      usage.push({ seq: event.seq, tokens, cost: event.cost ?? null });
    } else if (event.type === "usage.reported") {
      contextWindow = event.contextWindow ?? contextWindow;
    }
  }
  const place = Math.max(firstSeq, Math.min(at, lastSeq));
  const whole = shown.entries();
  const earlier = Math.max(0, whole.entries.length - entries);
  const transcript = shortenTranscript({ ...whole, entries: whole.entries.slice(earlier) });
  return { run, firstSeq, lastSeq, at: place, transcript, earlier, steps, decisions, inputs, usage, contextWindow };
}
