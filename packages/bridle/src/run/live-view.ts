import type { Environment } from "@bridle/project";
import type { EventOf, RunEvent } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import { createEventLines } from "./event-lines.ts";
import { holdOpenTexts } from "./hold-open-texts.ts";
import { createPaint } from "./paint.ts";
import { createScreen } from "./screen.ts";

interface Places {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

/**
 * Shows a run while it goes on: text on standard output, everything else in lines on standard error. A terminal gets
 * text as it comes, and is told when it is void; anything else gets the text of each step when the step is over.
 */
export function createLiveView({ stdout, stderr, environment }: Places): (event: RunEvent) => void {
  const screen = createScreen(stdout, stderr, environment);
  const paint = createPaint(stderr, environment);
  const lineOf = createEventLines(stderr);
  let streamed = "";
  /** Whether some text of the step that is open was shown. */
  let isShown = false;

  function show(event: RunEvent): void {
    if (event.type === "run.finished") screen.end();
    else if (event.type === "approval.requested") screen.yield();
    else if (event.type === "text.delta") addText(event);
    else tell(event);
  }

  function tell(event: RunEvent): void {
    if (event.type === "text.completed") completeText(event);
    if (event.type === "step.started" || event.type === "step.finished") isShown = false;
    const line = lineOf(event);
    if (line) screen.note(paint(line.colour, line.text));
    if (event.type === "retry.scheduled") voidText();
    if (event.type === "limit.waiting") screen.wait("waiting for the usage limit:", event.remainingMs);
    else screen.wait("working");
  }

  function addText({ text }: EventOf<"text.delta">): void {
    streamed += text;
    isShown = true;
    screen.say(text);
  }

  /** Where a host does not stream, the text comes whole, and only here. */
  function completeText({ text }: EventOf<"text.completed">): void {
    if (text.startsWith(streamed)) screen.say(text.slice(streamed.length));
    screen.endLine();
    streamed = "";
    isShown = true;
  }

  function voidText(): void {
    if (isShown) screen.note(paint("yellow", "! void so far; the answer begins anew:"));
    streamed = "";
    isShown = false;
  }

  return stdout.isTTY ? show : holdOpenTexts(show);
}
