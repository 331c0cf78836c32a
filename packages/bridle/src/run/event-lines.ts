import { type EventOf, formatDuration, type RunEvent } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import { wrap } from "../report/wrap.ts";
import { formatInput, oneLine } from "./format.ts";
import type { Colour } from "./paint.ts";

export interface EventLine {
  readonly colour: Colour;
  /** One line, or more where it is news and the terminal is narrow. */
  readonly text: string;
}

/** Before what goes on from the line above. */
const indent = "  ";
/** Characters of what a tool is given, or says. */
const longestOfTool = 200;
/** Characters of what a host says, or Bridle of it. */
const longestNews = 2000;

/** What is said of an event; nothing for most. On a terminal every line fits; a pipe gets one line each. */
export function createEventLines(
  output: Pick<Output, "isTTY" | "columns">,
): (event: RunEvent) => EventLine | undefined {
  const calls = new Map<string, { tool: string; input: unknown }>();
  let isWaiting = false;
  let lastReason = "";
  const width = () => (output.isTTY ? (output.columns ?? 80) - 1 : Number.POSITIVE_INFINITY);
  const line = (colour: Colour, text: string, longest = longestNews): EventLine => {
    const [first = "", ...rest] = wrap(oneLine(text, longest), width() - indent.length);
    return { colour, text: [first, ...rest.map((each) => indent + each)].join("\n") };
  };
  const ofTool = (colour: Colour, text: string) => line(colour, text, longestOfTool);
  const nameOf = (callId: string) => calls.get(callId)?.tool ?? "tool";
  const startedText = (callId: string) => `→ ${nameOf(callId)} ${formatInput(calls.get(callId)?.input)}`;

  return (event) => {
    switch (event.type) {
      case "tool.requested":
        calls.set(event.callId, event);
        return undefined;
      case "approval.decided":
        if (event.input !== undefined) calls.set(event.callId, { tool: nameOf(event.callId), input: event.input });
        return undefined;
      case "tool.started":
        return { colour: "cyan", text: oneLine(startedText(event.callId), Math.min(width(), longestOfTool)) };
      case "tool.progress":
        return ofTool("dim", `… ${nameOf(event.callId)}: ${event.message}`);
      case "tool.denied":
        return ofTool("red", `✗ ${nameOf(event.callId)} denied: ${event.output}`);
      case "tool.finished": {
        const finished = `${nameOf(event.callId)} ${formatDuration(event.durationMs)}`;
        return event.ok ? ofTool("green", `✓ ${finished}`) : ofTool("red", `✗ ${finished} ${event.output}`);
      }
      case "retry.scheduled": {
        const { delayMs, attempt, maxAttempts } = event;
        const reason = attempt > 1 && event.reason === lastReason ? "the same again" : firstSentence(event.reason);
        lastReason = event.reason;
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

/** The reason of an error, without what to do about it: that is for its end. */
function firstSentence(text: string): string {
  return text.replace(/[.!?](\s+\p{Lu}.*)?$/su, "");
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
