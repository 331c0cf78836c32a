/** What goes on record of a turn's input, before the host is told it. */
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

export function describeInput(
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

/** A backend may be anyone's: what goes on record, and how it says that a turn ended, is checked. */
function checkPromptContext(promptContext: unknown): PromptContext {
  const parsed = promptContextSchema.safeParse(promptContext);
  if (parsed.success) return parsed.data;
  throw new BackendCrashError(`The backend gave ${preview(promptContext)} as the promptContext of a conversation.`);
}

/** The history that a run goes on from, without the earlier messages of its own request. */
export function historyBefore({
  spec: { history },
  earlier,
}: Pick<RunPlan, "spec" | "earlier">): readonly HistoryMessage[] {
  return history.slice(0, history.length - earlier.length);
}
