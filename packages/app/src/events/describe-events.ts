import { type EventOf, formatDuration, type RunEvent } from "@bridle/protocol";
import { formatInput } from "../text/one-line.ts";

/** The meaning of an event for the user: the start of a call, its progress, its end, or a warning. */
export type EventTone = "call" | "progress" | "success" | "failure" | "warning";

export interface DescribedEvent {
  readonly tone: EventTone;
  readonly text: string;
}

/** Creates a function that describes events in words, one after the other. Most events need no words. */
export function createEventDescriber(): (event: RunEvent) => DescribedEvent | undefined {
  const describer = new EventDescriber();
  return (event) => describer.describe(event);
}

/** Remembers the tool calls and the last warnings, to which later events refer. */
class EventDescriber {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: unknown }>();
  #isWaiting = false;
  #lastReason = "";

  describe(event: RunEvent): DescribedEvent | undefined {
    switch (event.type) {
      case "tool.requested":
        this.#calls.set(event.callId, event);
        return undefined;
      case "approval.decided":
        this.#replaceInput(event);
        return undefined;
      case "retry.scheduled":
        return this.#describeRetry(event);
      case "notice":
        return event.level === "warning" ? warning(event.message) : undefined;
      default:
        return this.#describeCall(event) ?? this.#describeLimit(event);
    }
  }

  #replaceInput({ callId, input, nested }: EventOf<"approval.decided">): void {
    if (input !== undefined && !nested) this.#calls.set(callId, { tool: this.#toolName(callId), input });
  }

  #describeRetry({ delayMs, attempt, maxAttempts, reason }: EventOf<"retry.scheduled">): DescribedEvent {
    const shown = attempt > 1 && reason === this.#lastReason ? "the same again" : firstSentence(reason);
    this.#lastReason = reason;
    return warning(`${shown}; attempt ${attempt} of ${maxAttempts} in ${formatDuration(delayMs)}`);
  }

  #describeCall(event: RunEvent): DescribedEvent | undefined {
    switch (event.type) {
      case "tool.started": {
        const input = formatInput(this.#calls.get(event.callId)?.input);
        return { tone: "call", text: `→ ${this.#toolName(event.callId)} ${input}` };
      }
      case "nested.started": {
        const where = event.nestedSessionId ? `session ${event.nestedSessionId}` : `run ${event.nestedRunId}`;
        return { tone: "progress", text: `… ${this.#toolName(event.callId)}: works in the ${where}` };
      }
      case "tool.progress":
        return { tone: "progress", text: `… ${this.#toolName(event.callId)}: ${event.message}` };
      case "tool.denied":
        return { tone: "failure", text: `✗ ${this.#toolName(event.callId)} denied: ${event.output}` };
      case "tool.finished": {
        const call = `${this.#toolName(event.callId)} ${formatDuration(event.durationMs)}`;
        if (event.ok) return { tone: "success", text: `✓ ${call}` };
        return { tone: "failure", text: `✗ ${call} ${event.output}` };
      }
      default:
        return undefined;
    }
  }

  #describeLimit(event: RunEvent): DescribedEvent | undefined {
    switch (event.type) {
      case "limit.warned":
        return warning(`the usage limit is near (${event.window})`);
      case "limit.waiting":
        if (this.#isWaiting) return undefined; // the countdown has its own line
        this.#isWaiting = true;
        return warning(describeWait(event));
      case "limit.cleared":
        this.#isWaiting = false;
        return warning(`the usage window is open again (${event.window})`);
      default:
        return undefined;
    }
  }

  #toolName(callId: string): string {
    return this.#calls.get(callId)?.tool ?? "tool";
  }
}

function warning(text: string): DescribedEvent {
  return { tone: "warning", text: `! ${text}` };
}

/** Returns the reason of an error. Its remedy is left out, because it is shown when the run ends. */
function firstSentence(text: string): string {
  return text.replace(/[.!?](\s+\p{Lu}.*)?$/su, "");
}

function describeWait({ window, remainingMs, resetsAt }: EventOf<"limit.waiting">): string {
  const until = resetsAt === undefined ? "" : `, until ${formatClock(resetsAt)}`;
  return `the usage limit is used up (${window}); waiting for ${formatDuration(remainingMs)}${until}`;
}

/** Formats the local time of day, with the date if it is not today. */
function formatClock(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const timeOfDay = date.toTimeString().slice(0, 5);
  return isToday ? timeOfDay : `${date.toDateString()} ${timeOfDay}`;
}
