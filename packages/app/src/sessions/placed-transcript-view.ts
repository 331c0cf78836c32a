/** The transcript of a session up to an event, for clients that follow the session from there. */
import { withoutDeltas } from "@bridle/core";
import {
  type EventLog,
  type EventQuery,
  historyMessageSchema,
  imagePartSchema,
  messageSchema,
  type PlacedEntries,
  type PlacedEntry,
  PlacedTranscript,
  type RunEvent,
  runResultSchema,
} from "@bridle/protocol";
import { z } from "zod";

const count = z.int().nonnegative();

/** Content that is omitted because of its length. The event `seq` contains all of it. */
const omittedSchema = z.strictObject({
  field: z.enum(["input", "edited", "output", "images", "messages", "message"]),
  characters: count,
  seq: z.int().positive(),
});

const place = {
  runId: z.string(),
  seq: z.int().positive(),
  time: z.number(),
  endSeq: z.int().positive().optional(),
  artifact: z.string().optional(),
  rule: z.string().optional(),
  approvalId: z.string().optional(),
  omitted: z.array(omittedSchema).optional(),
};
const spoken = { text: z.string(), complete: z.boolean(), step: count };

const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("user"), message: messageSchema, ...place }),
  z.strictObject({ kind: z.literal("text"), ...spoken, ...place }),
  z.strictObject({ kind: z.literal("reasoning"), ...spoken, ...place }),
  z.strictObject({
    kind: z.literal("tool"),
    callId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    step: count,
    edited: z.unknown().optional(),
    askedIn: z.string().optional(),
    state: z.enum(["requested", "waiting", "running", "denied", "succeeded", "failed"]),
    output: z.string().optional(),
    images: z.array(imagePartSchema).readonly().optional(),
    progress: z.array(z.string()).readonly(),
    durationMs: z.number().optional(),
    nested: z
      .array(z.strictObject({ runId: z.string(), sessionId: z.string().exactOptional() }))
      .readonly()
      .exactOptional(),
    ...place,
  }),
  z.strictObject({
    kind: z.literal("history"),
    reason: z.enum(["forked", "compacted", "edited"]),
    messages: z.array(historyMessageSchema).readonly(),
    ...place,
  }),
]);

const retrySchema = z.strictObject({
  runId: z.string(),
  seq: z.int().positive(),
  time: z.number(),
  step: count,
  reason: z.string(),
  attempt: z.int().positive(),
  maxAttempts: z.int().positive(),
});

export const placedTranscriptSchema = z.strictObject({
  /** The newest event that the transcript includes. The events after it continue the transcript. */
  seq: count,
  runId: z.string().optional(),
  entries: z.array(entrySchema),
  /** Responses that were requested again. */
  retries: z.array(retrySchema).readonly().optional(),
  steps: count,
  answering: z.boolean(),
  result: runResultSchema.optional(),
});
type ViewEntry = z.output<typeof entrySchema>;
export type PlacedTranscriptView = Omit<PlacedEntries, "entries"> & { entries: ViewEntry[] };

/** How many characters of a long content are sent with a transcript. */
const maxCharacters = 8192;

/**
 * Reads the transcript of a session up to the event `at`, or of one of its runs. Default: up to the newest event. Leaves out
 * contents of more than 8192 characters.
 */
export async function readPlacedTranscript(
  eventLog: Pick<EventLog, "read">,
  target: { readonly sessionId: string } | { readonly runId: string },
  at: number = Number.MAX_SAFE_INTEGER,
): Promise<PlacedTranscriptView> {
  const transcript = new PlacedTranscript();
  for await (const event of readUpTo(eventLog, target, at)) transcript.add(event);
  return shortenTranscript(transcript.entries());
}

/** Reads the events of a session or a run up to a number. Deltas are left out if their completed text is included. */
export function readUpTo(
  eventLog: Pick<EventLog, "read">,
  target: { readonly sessionId: string } | { readonly runId: string },
  at: number = Number.MAX_SAFE_INTEGER,
): AsyncIterable<RunEvent> {
  const read = async (query: EventQuery) => readBounded(eventLog, query, at);
  return "sessionId" in target ? withoutDeltas({ read }, target.sessionId) : readAll(read, target.runId);
}

/** Reads the events of a query up to a number. */
async function readBounded(eventLog: Pick<EventLog, "read">, query: EventQuery, at: number) {
  if (query.last !== undefined && at < Number.MAX_SAFE_INTEGER) {
    const found = await eventLog.read({ ...query, last: 1 });
    if ((found[0]?.seq ?? 0) <= at) return found;
    const { last: _newest, ...rest } = query;
    return eventLog.read({ ...rest, from: at, limit: 1 }); // numbers have no gaps
  }
  return (await eventLog.read(query)).filter(({ seq }) => seq <= at);
}

const pageLength = 1000;

async function* readAll(read: (query: EventQuery) => Promise<readonly RunEvent[]>, runId: string) {
  for (let from = 1; ; ) {
    const page = await read({ runId, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
    from = (page.at(-1)?.seq ?? from) + 1;
  }
}

/** Leaves out long contents. */
export function shortenTranscript({ entries, ...state }: PlacedEntries): PlacedTranscriptView {
  return { ...state, entries: entries.map(shortenEntry) };
}

type Omitted = z.output<typeof omittedSchema>;

function shortenEntry(entry: PlacedEntry): ViewEntry {
  switch (entry.kind) {
    case "tool":
      return shortenCall(entry);
    case "history": {
      const characters = lengthOf(entry.messages);
      if (characters <= maxCharacters) return entry;
      return { ...entry, messages: [], omitted: [{ field: "messages", characters, seq: entry.seq }] };
    }
    case "user": {
      const characters = lengthOf(entry.message);
      if (characters <= maxCharacters || typeof entry.message.content === "string") return entry;
      const content = entry.message.content.map((part) =>
        part.type === "text" ? part : { type: "text" as const, text: `[${part.type}: ${part.mediaType}]` },
      );
      return {
        ...entry,
        message: { ...entry.message, content },
        omitted: [{ field: "message", characters, seq: entry.seq }],
      };
    }
    default:
      return entry;
  }
}

function shortenCall(entry: Extract<PlacedEntry, { kind: "tool" }>): ViewEntry {
  const omitted: Omitted[] = [];
  const { output, images, edited, input, ...rest } = entry;
  const leavesOut = (field: Omitted["field"], value: unknown, seq: number) => {
    const characters = typeof value === "string" ? value.length : lengthOf(value);
    if (characters > maxCharacters) omitted.push({ field, characters, seq });
    return characters > maxCharacters;
  };
  const endSeq = entry.endSeq ?? entry.seq;
  const kept = {
    ...rest,
    input: leavesOut("input", input, entry.seq) ? null : input,
    ...(edited !== undefined && { edited: leavesOut("edited", edited, entry.seq) ? null : edited }),
    ...(output !== undefined && { output: leavesOut("output", output, endSeq) ? output.slice(0, shown) : output }),
    ...(images !== undefined && !leavesOut("images", images, endSeq) && { images }),
  };
  return omitted.length === 0 ? kept : { ...kept, omitted };
}

/** How many characters of an omitted output are shown. */
const shown = 2000;

function lengthOf(value: unknown): number {
  return JSON.stringify(value ?? null).length;
}
