/** Describes the input of a turn for the event log, before it is sent to the host. */
import {
  BackendCrashError,
  type Conversation,
  type ConversationSpec,
  canonicalJson,
  type EventDraft,
  eventDefinitions,
  type HistoryMessage,
  type Message,
  type PromptContext,
  preview,
  resumptionSchema,
} from "@bridle/protocol";
import type { JournalWriter } from "../event-log/journal.ts";
import { isStoredUnchanged } from "../redaction/redact-content.ts";
import { fingerprintHistory } from "./fingerprint.ts";
import { hashPieces, isClean, type MessagePiece, messagePieces } from "./message-texts.ts";
import type { RunPlan } from "./run-plan.ts";

interface TurnInput {
  readonly turn: number;
  readonly message: Message;
  /** The answers of the previous turn that are in no event. The host has them. */
  readonly answers: readonly Message[];
}

export function describeModelInput(
  { turn, message, answers }: TurnInput,
  { spec, earlier }: RunPlan,
  { promptContext }: Conversation,
  journal: Pick<JournalWriter, "putArtifact">,
): EventDraft {
  const { history } = spec;
  const { resumption, ...around } = checkPromptContext(promptContext);
  const isFirst = turn === 1;
  const before = historyBefore({ spec, earlier });
  const messages = isFirst ? [...history, message] : [message];
  const input = inputPieces(spec, messages);
  const artifact = journal.putArtifact(input);
  return {
    type: "model.input",
    turn,
    sha256: isStoredUnchanged(input) && input.every(isClean) ? artifact : hashPieces(input),
    artifact,
    messages: [...(isFirst ? earlier : answers), message],
    ...(isFirst && before.length > 0
      ? { history: { messages: before.length, fingerprint: fingerprintHistory(before), ...resumption } }
      : {}),
    ...around,
  };
}

/** Returns the canonical JSON of a request in pieces. Pieces with remembered texts are neither serialized nor searched again. */
function inputPieces(
  { model, system, tools, builtins, hostSettings, outputSchema }: ConversationSpec,
  messages: readonly HistoryMessage[],
): readonly MessagePiece[] {
  const before = canonicalJson({ builtins, hostSettings });
  const after = canonicalJson({ model, system, tools, outputSchema });
  const start = before === "{}" ? "{" : `${before.slice(0, -1)},`;
  return [`${start}"messages":[`, ...messagePieces(messages), `],${after.slice(1)}`]; // the keys are sorted
}

const promptContextSchema = eventDefinitions["model.input"]
  .pick({ implicitSources: true, hostAdds: true })
  .extend({ resumption: resumptionSchema.optional() });

/** Validates what a backend passes in to be logged, because anyone can write a backend. */
function checkPromptContext(promptContext: unknown): PromptContext {
  const parsed = promptContextSchema.safeParse(promptContext);
  if (parsed.success) return parsed.data;
  throw new BackendCrashError(`The backend gave ${preview(promptContext)} as the promptContext of a conversation.`);
}

/** Returns the history that a run continues from, without the earlier messages of its own request. */
export function historyBefore({
  spec: { history },
  earlier,
}: Pick<RunPlan, "spec" | "earlier">): readonly HistoryMessage[] {
  return history.slice(0, history.length - earlier.length);
}
