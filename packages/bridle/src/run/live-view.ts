import type { EventOf, RunEvent } from "@bridle/core";
import type { Environment } from "@bridle/project";
import type { Output } from "../cli/cli.ts";
import { createEventLines } from "./event-lines.ts";
import { createPaint } from "./paint.ts";
import { createScreen } from "./screen.ts";

interface Places {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

/** Characters of a line where nobody says how wide the terminal is. */
export const widthOfPipes = 200;

/** Shows a run while it goes on: text on standard output as it comes, everything else in lines on standard error. */
export function createLiveView({ stdout, stderr, environment }: Places): (event: RunEvent) => void {
  const screen = createScreen(stdout, stderr, environment);
  const paint = createPaint(stderr, environment);
  const lineOf = createEventLines(stderr);
  let streamed = "";

  function addText({ text }: EventOf<"text.delta">): void {
    streamed += text;
    screen.say(text);
  }

  /** Where a host does not stream, the text comes whole, and only here. */
  function completeText({ text }: EventOf<"text.completed">): void {
    if (text.startsWith(streamed)) screen.say(text.slice(streamed.length));
    screen.endLine();
    streamed = "";
  }

  return (event) => {
    if (event.type === "run.finished") return screen.end();
    if (event.type === "text.delta") return addText(event);
    if (event.type === "text.completed") completeText(event);
    const line = lineOf(event);
    if (line) screen.note(paint(line.colour, line.text));
    if (event.type === "limit.waiting") screen.wait("waiting for the usage limit:", event.remainingMs);
    else screen.wait("working");
  };
}
