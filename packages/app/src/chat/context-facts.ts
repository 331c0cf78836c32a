import { type HistoryMessage, type RunEvent, type SessionRequest, totalTokens } from "@bridle/protocol";

/** The size of the context for the next prompt of a session. */
export interface ContextFacts {
  /** The tokens of the newest answer and everything before it, as counted by the host. */
  readonly tokens?: number | undefined;
  /** The size of the model's window in tokens, if the host reports it. */
  readonly contextWindow?: number | undefined;
  readonly messages: number;
  readonly messageCharacters: number;
  readonly systemCharacters: number;
  readonly tools: number;
}

/** Describes the context of a session's next prompt. `events` are the session's events. Pure. */
export function describeContext(
  events: readonly RunEvent[],
  history: readonly HistoryMessage[],
  { system = "", tools, builtins = [] }: Pick<SessionRequest, "system" | "tools" | "builtins">,
): ContextFacts {
  const replaced = events.findLastIndex(({ type }) => type === "history.replaced");
  const answer = events.slice(replaced + 1).findLast((event) => event.type === "step.finished");
  const report = events.findLast((event) => event.type === "usage.reported" && event.contextWindow !== undefined);
  return {
    tokens: answer?.type === "step.finished" ? totalTokens(answer.usage) : undefined,
    contextWindow: report?.type === "usage.reported" ? report.contextWindow : undefined,
    messages: history.length,
    messageCharacters: JSON.stringify(history).length,
    systemCharacters: lengthOf(system),
    tools: tools.length + builtins.length,
  };
}

function lengthOf(system: NonNullable<SessionRequest["system"]>): number {
  if (typeof system === "string") return system.length;
  return (system.static ?? "").length + (system.dynamic ?? "").length;
}
