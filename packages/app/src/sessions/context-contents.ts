/** Reads the content of the model's context window in a session. */
import {
  buildTranscript,
  type EventLog,
  type EventOf,
  type HistoryMessage,
  type HistoryPart,
  implicitSourceSchema,
  type RunEvent,
  totalTokens,
  transcriptToHistory,
} from "@bridle/protocol";
import { z } from "zod";
import { readUpTo } from "./placed-transcript-view.ts";

const count = z.int().nonnegative();

const partSchema = z.strictObject({
  kind: z.enum(["instructions", "tool", "schema", "prompt", "answer", "call", "result", "image", "file"]),
  /** The name of the tool or the file. */
  name: z.string().nullable(),
  /** The position of the part's message in the history; `null` for parts that are sent with every request. */
  message: count.nullable(),
  characters: count,
  /** The part's share of the measured tokens, or a quarter of its characters if no tokens were measured. An estimate. */
  tokens: count,
});
type Part = Omit<z.output<typeof partSchema>, "tokens">;

export const contextContentsSchema = z.strictObject({
  /** The newest event that is included. */
  seq: count,
  /** The tokens of the newest response and everything before it, as counted by the host; `null` if the host has not counted them. */
  tokens: count.nullable(),
  /** The size of the window in tokens, if the host reports it. */
  contextWindow: count.nullable(),
  parts: z.array(partSchema),
  /** Texts that the host adds. */
  hostAdds: z.array(z.string()).readonly(),
  /** Files and settings of the machine, and whether they were used. */
  implicitSources: z.array(implicitSourceSchema).readonly(),
  /** When the history was replaced, for example by a compaction. */
  replaced: z.array(
    z.strictObject({
      seq: count,
      time: z.number(),
      reason: z.enum(["forked", "compacted", "edited"]),
      strategy: z.string().nullable(),
      messages: count,
    }),
  ),
});
export type ContextContents = z.output<typeof contextContentsSchema>;

/** The parts of the request in an artifact of `model.input`, with their sizes. */
const requestSchema = z.looseObject({
  system: z
    .union([z.string(), z.looseObject({ static: z.string().optional(), dynamic: z.string().optional() })])
    .optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  outputSchema: z.unknown().optional(),
});

/** Reads the content of the model's window for an existing session after the event `at`. Default: after the newest event. */
export async function readContextContents(
  eventLog: Pick<EventLog, "read" | "artifact">,
  sessionId: string,
  at?: number,
): Promise<ContextContents> {
  const events: RunEvent[] = [];
  for await (const event of readUpTo(eventLog, { sessionId }, at)) events.push(event);
  const input = events.findLast((event) => event.type === "model.input");
  const artifact = input?.type === "model.input" ? await eventLog.artifact(input.artifact) : undefined;
  const history = transcriptToHistory(buildTranscript(events));
  const parts = [...describeRequest(artifact), ...history.flatMap(describeMessage(toolNames(history)))];
  const { tokens, contextWindow } = measure(events);
  return {
    seq: events.at(-1)?.seq ?? 0,
    tokens,
    contextWindow,
    parts: estimate(parts, tokens),
    hostAdds: input?.type === "model.input" ? input.hostAdds : [],
    implicitSources: input?.type === "model.input" ? input.implicitSources : [],
    replaced: events.flatMap((event) => (event.type === "history.replaced" ? [describeReplacement(event)] : [])),
  };
}

function measure(events: readonly RunEvent[]): Pick<ContextContents, "tokens" | "contextWindow"> {
  const replaced = events.findLastIndex(({ type }) => type === "history.replaced");
  const answer = events.slice(replaced + 1).findLast((event) => event.type === "step.finished");
  const report = events.findLast((event) => event.type === "usage.reported" && event.contextWindow !== undefined);
  return {
    tokens: answer?.type === "step.finished" ? totalTokens(answer.usage) : null,
    contextWindow: (report?.type === "usage.reported" ? report.contextWindow : undefined) ?? null,
  };
}

function describeRequest(artifact: string | undefined): Part[] {
  const parsed = requestSchema.safeParse(artifact === undefined ? undefined : tryParse(artifact));
  if (!parsed.success) return [];
  const { system, tools = [], outputSchema } = parsed.data;
  const texts = typeof system === "string" ? [system] : [system?.static ?? "", system?.dynamic ?? ""];
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return [
    ...(characters > 0 ? [part("instructions", null, characters)] : []),
    ...tools.map((tool) => part("tool", tool.name, lengthOf(tool))),
    ...(outputSchema === undefined ? [] : [part("schema", null, lengthOf(outputSchema))]),
  ];
}

function part(kind: Part["kind"], name: string | null, characters: number, message: number | null = null): Part {
  return { kind, name, message, characters };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toolNames(history: readonly HistoryMessage[]): ReadonlyMap<string, string> {
  const calls = history.flatMap(({ content }) => content.filter((each) => each.type === "tool-call"));
  return new Map(calls.map(({ callId, tool }) => [callId, tool]));
}

function describeMessage(tools: ReadonlyMap<string, string>) {
  return ({ role, content }: HistoryMessage, index: number): Part[] =>
    content.map((each) => describePart(each, role, index, tools));
}

function describePart(
  each: HistoryPart,
  role: HistoryMessage["role"],
  message: number,
  tools: ReadonlyMap<string, string>,
): Part {
  switch (each.type) {
    case "text":
      return part(role === "user" ? "prompt" : "answer", null, each.text.length, message);
    case "tool-call":
      return part("call", each.tool, lengthOf(each.input), message);
    case "tool-result":
      return part("result", tools.get(each.callId) ?? null, each.output.length, message);
    case "image":
      return part("image", null, each.data.length, message);
    case "file":
      return part("file", each.name ?? null, each.data.length, message);
  }
}

/** The average number of characters in a token. */
const charactersPerToken = 4;

function estimate(parts: readonly Part[], tokens: number | null): ContextContents["parts"] {
  const characters = parts.reduce((sum, each) => sum + each.characters, 0);
  const share = tokens === null || characters === 0 ? 1 / charactersPerToken : tokens / characters;
  const shares = roundTogether(parts.map((each) => each.characters * share));
  return parts.map((each, index) => ({ ...each, tokens: shares[index] ?? 0 }));
}

/** Rounds numbers so that the sum of the results is the rounded sum. The numbers that rounding down changes most are rounded up. */
function roundTogether(exact: readonly number[]): number[] {
  const whole = exact.map(Math.floor);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const lost = (index: number) => (exact[index] ?? 0) - (whole[index] ?? 0);
  const byLoss = [...exact.keys()].sort((a, b) => lost(b) - lost(a));
  for (const index of byLoss.slice(0, Math.round(sum(exact)) - sum(whole))) whole[index] = (whole[index] ?? 0) + 1;
  return whole;
}

function describeReplacement(event: EventOf<"history.replaced">): ContextContents["replaced"][number] {
  const { seq, time, reason, strategy = null, messages } = event;
  return { seq, time, reason, strategy, messages: messages.length };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
