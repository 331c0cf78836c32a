import type { EventOf, RunEvent } from "@bridle/protocol";
import { formatDuration } from "@bridle/protocol/text";

/** One moment of a call, described in words. */
export interface CallMoment {
  readonly seq: number;
  readonly time: number;
  /** Milliseconds since the previous event. */
  readonly afterMs: number;
  readonly words: string;
}

/** The maximum number of progress events to list: the last ones, because they are the most informative. */
const maxProgress = 20;

/** Returns the timeline of a call, from the model's request to the reply. `events` are the events of the call, in order. */
export function callTimeline(events: readonly RunEvent[]): readonly CallMoment[] {
  const skipped = events.filter(({ type }) => type === "tool.progress").slice(0, -maxProgress);
  const shown = events.filter((event) => !skipped.includes(event));
  return shown.map((event, index) => ({
    seq: event.seq,
    time: event.time,
    afterMs: event.time - (shown[index - 1]?.time ?? event.time),
    words: describe(event),
  }));
}

function describe(event: RunEvent): string {
  switch (event.type) {
    case "tool.requested":
      return "Requested by the model";
    case "tool.evaluated":
      return describeDecision(event);
    case "approval.requested":
      return `A person was asked${event.nested ? ` about ${event.tool}, which the agent calls` : ""}${event.attempt > 1 ? ` again (${event.attempt})` : ""}${event.problem === undefined ? "" : `: ${event.problem}`}`;
    case "approval.decided":
      return event.nested ? `About the call of the agent: ${describeAnswer(event)}` : describeAnswer(event);
    case "tool.started":
      return "Started";
    case "tool.progress":
      return event.message.slice(0, 300);
    case "tool.denied":
      return "Denied";
    case "tool.finished":
      return `${event.ok ? "Succeeded" : "Failed"} after ${formatDuration(event.durationMs)}`;
    default:
      return event.type;
  }
}

function describeDecision({ decision, rule }: EventOf<"tool.evaluated">): string {
  if (decision === "ask") return `The rule ${rule} asks a person`;
  return `${decision === "allow" ? "Allowed" : "Denied"} by the rule ${rule}`;
}

const scopes = { once: "once", session: "for the session", project: "for the project", always: "always" } as const;

function describeAnswer({ source, decision, scope, by, rule, message, input }: EventOf<"approval.decided">): string {
  const words = message === undefined ? "" : `: ${message}`;
  const verb = { allow: "allowed", deny: "denied", "deny-and-stop": "denied, and the run stopped," }[decision];
  switch (source) {
    case "answer":
      return `${capital(verb)} ${scopes[scope]} by ${by ?? "a person"}${input === undefined ? "" : ", with another input"}${words}`;
    case "remembered":
      return `${capital(verb)} by an earlier answer${rule === undefined ? "" : ` (${rule})`}`;
    case "timeout":
      return `Nobody answered in time${words}`;
    case "run-ended":
      return "The run ended before an answer";
    default:
      return `The question could not be asked${words}`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
