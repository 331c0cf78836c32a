import { stripVTControlCharacters } from "node:util";
import type { EventOf, RunEvent } from "@bridle/core";
import type { Environment } from "@bridle/project";
import type { Output } from "../cli/cli.ts";
import { formatDuration, formatInput, oneLine } from "./format.ts";
import { createPaint } from "./paint.ts";

interface Places {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

/** Shows a run while it goes on: text on standard output as it comes, everything else in lines on standard error. */
export function createLiveView({ stdout, stderr, environment }: Places): (event: RunEvent) => void {
  const paint = createPaint(stderr, environment);
  const width = stderr.isTTY ? (stderr.columns ?? 80) - 1 : 200;
  const names = new Map<string, string>();
  const inputs = new Map<string, unknown>();
  let block = "";
  let isMidLine = false;

  function say(text: string): void {
    if (text === "") return;
    stdout.write(stdout.isTTY ? stripVTControlCharacters(text) : text);
    isMidLine = !text.endsWith("\n");
  }

  /** Never within a line of text, where both go to the same terminal. */
  function note(line: string): void {
    if (isMidLine && stdout.isTTY && stderr.isTTY) stderr.write("\n");
    isMidLine &&= !(stdout.isTTY && stderr.isTTY);
    stderr.write(`${line}\n`);
  }

  function completeText({ text }: EventOf<"text.completed">): void {
    // Hosts that do not stream send no deltas; where they did, the final text is what counts.
    say(text.startsWith(block) ? text.slice(block.length) : "");
    if (isMidLine) say("\n");
    block = "";
  }

  function finishTool({ callId, ok, durationMs, output }: EventOf<"tool.finished">): void {
    const duration = formatDuration(durationMs);
    const name = names.get(callId) ?? "tool";
    if (ok) note(paint("green", `✓ ${name} ${duration}`));
    else note(paint("red", oneLine(`✗ ${name} ${duration} ${output}`, width)));
  }

  return (event) => {
    switch (event.type) {
      case "text.delta":
        block += event.text;
        return say(event.text);
      case "text.completed":
        return completeText(event);
      case "tool.requested":
        names.set(event.callId, event.tool);
        inputs.set(event.callId, event.input);
        return;
      case "tool.started":
        return note(
          paint("cyan", oneLine(`→ ${names.get(event.callId)} ${formatInput(inputs.get(event.callId))}`, width)),
        );
      case "tool.progress":
        return note(paint("dim", `  ${oneLine(`${names.get(event.callId)}: ${event.message}`, width - 2)}`));
      case "tool.denied":
        return note(paint("red", oneLine(`✗ ${names.get(event.callId)} denied: ${event.output}`, width)));
      case "tool.finished":
        return finishTool(event);
      case "retry.scheduled":
        return note(
          paint(
            "yellow",
            `waiting ${formatDuration(event.delayMs)}, then attempt ${event.attempt} of ${event.maxAttempts}: ${oneLine(event.reason, width)}`,
          ),
        );
      case "limit.warned":
        return note(paint("yellow", `the usage limit (${event.window}) is near`));
      case "notice":
        return event.level === "warning" ? note(paint("yellow", oneLine(event.message, 1000))) : undefined;
      default:
        return;
    }
  };
}
