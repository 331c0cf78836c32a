/** Describes the input of a turn for the event log, before it is sent to the host. */
import {
  BackendCrashError,
  type Conversation,
  canonicalJson,
  type EventDraft,
  eventDefinitions,
  type HistoryMessage,
  type Message,
  type PromptContext,
  preview,
  resumptionSchema,
} from "@bridle/protocol";
import type { Journal } from "../event-log/journal.ts";
import { sha256 } from "../system/hash.ts";
import { fingerprintHistory } from "./fingerprint.ts";
import type { RunPlan } from "./run-plan.ts";

export function describeModelInput(
  turn: number,
  message: Message,
  { spec, earlier }: RunPlan,
  { promptContext }: Conversation,
  journal: Journal,
): EventDraft {
  const { system, tools, builtins, hostSettings, outputSchema, model, history } = spec;
  const { resumption, ...around } = checkPromptContext(promptContext);
  const isFirst = turn === 1;
  const before = historyBefore({ spec, earlier });
  const messages = isFirst ? [...history, message] : [message];
  const input = canonicalJson({ model, system, tools, builtins, hostSettings, outputSchema, messages });
  return {
    type: "model.input",
    turn,
    sha256: sha256(input),
    artifact: journal.putArtifact(input),
    messages: isFirst ? [...earlier, message] : [message],
    ...(isFirst && before.length > 0
      ? { history: { messages: before.length, fingerprint: fingerprintHistory(before), ...resumption } }
      : {}),
    ...around,
  };
}

const promptContextSchema = eventDefinitions["model.input"]
  .pick({ implicitSources: true, hostAdds: true })
  .extend({ resumption: resumptionSchema.optional() });

/** Anyone can write a backend, so everything that is logged is validated. */
function checkPromptContext(promptContext: unknown): PromptContext {
  const parsed = promptContextSchema.safeParse(promptContext);
  if (parsed.success) return parsed.data;
  throw new BackendCrashError(`The backend gave ${preview(promptContext)} as the promptContext of a conversation.`);
}

/** The history that a run continues from, without the earlier messages of its own request. */
export function historyBefore({
  spec: { history },
  earlier,
}: Pick<RunPlan, "spec" | "earlier">): readonly HistoryMessage[] {
  return history.slice(0, history.length - earlier.length);
}
