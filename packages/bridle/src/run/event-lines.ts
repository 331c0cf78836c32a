import type { EventOf, RunEvent } from "@bridle/core";
import { formatDuration, formatInput, oneLine } from "./format.ts";
import type { Colour } from "./paint.ts";

export interface EventLine {
  readonly colour: Colour;
  readonly text: string;
}

/** What is said of an event in one line of at most `width` characters; nothing for most. */
export function createEventLines(width: number): (event: RunEvent) => EventLine | undefined {
  const calls = new Map<string, { tool: string; input: unknown }>();
  let isWaiting = false;
  const line = (colour: Colour, text: string): EventLine => ({ colour, text: oneLine(text, width) });
  const nameOf = (callId: string) => calls.get(callId)?.tool ?? "tool";

  return (event) => {
    switch (event.type) {
      case "tool.requested":
        calls.set(event.callId, event);
        return undefined;
      case "tool.started":
        return line("cyan", `→ ${nameOf(event.callId)} ${formatInput(calls.get(event.callId)?.input)}`);
      case "tool.progress":
        return line("dim", `… ${nameOf(event.callId)}: ${event.message}`);
      case "tool.denied":
        return line("red", `✗ ${nameOf(event.callId)} denied: ${event.output}`);
      case "tool.finished": {
        const finished = `${nameOf(event.callId)} ${formatDuration(event.durationMs)}`;
        return event.ok ? line("green", `✓ ${finished}`) : line("red", `✗ ${finished} ${event.output}`);
      }
      case "retry.scheduled": {
        const { delayMs, attempt, maxAttempts, reason } = event;
        return line("yellow", `! ${reason}; attempt ${attempt} of ${maxAttempts} in ${formatDuration(delayMs)}`);
      }
      case "limit.warned":
        return line("yellow", `! the usage limit is near (${event.window})`);
      case "limit.waiting":
        if (isWaiting) return undefined; // how long it still is stands in a line of its own
        isWaiting = true;
        return line("yellow", `! ${waitingText(event)}`);
      case "limit.cleared":
        isWaiting = false;
        return line("yellow", `! the usage window is open again (${event.window})`);
      case "notice":
        return event.level === "warning" ? line("yellow", `! ${event.message}`) : undefined;
      default:
        return undefined;
    }
  };
}

function waitingText({ window, remainingMs, resetsAt }: EventOf<"limit.waiting">): string {
  const until = resetsAt === undefined ? "" : `, until ${clock(resetsAt)}`;
  return `the usage limit is used up (${window}); waiting for ${formatDuration(remainingMs)}${until}`;
}

/** The time of day, with the date where it is another day's. */
function clock(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const timeOfDay = date.toTimeString().slice(0, 5);
  return isToday ? timeOfDay : `${date.toDateString()} ${timeOfDay}`;
}
