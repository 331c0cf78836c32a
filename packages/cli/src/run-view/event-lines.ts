import { createEventDescriber, type DescribedEvent, type EventTone } from "@bridle/app/events";
import type { RunEvent } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { fitLine } from "../terminal/fit-line.ts";
import type { Colour } from "../terminal/paint.ts";
import { wrap } from "../terminal/wrap.ts";

export interface EventLine {
  readonly colour: Colour;
  /** Returns one line. A text that is wider than the terminal continues on indented lines. */
  readonly text: string;
}

const indent = "  ";
/** The maximum length of a tool's input or output. */
const maxToolLength = 200;
/** The maximum length of a warning. */
const maxWarningLength = 2000;

const colours: Readonly<Record<EventTone, Colour>> = {
  call: "cyan",
  progress: "dim",
  success: "green",
  failure: "red",
  warning: "yellow",
};

/** Formats events as lines. On a terminal, every line fits; in a pipe, each event has one line. Most events have no line. */
export function createEventLines(
  output: Pick<Output, "isTTY" | "columns">,
): (event: RunEvent) => EventLine | undefined {
  const describe = createEventDescriber();
  return (event) => {
    const described = describe(event);
    const width = output.isTTY ? (output.columns ?? 80) - 1 : Number.POSITIVE_INFINITY;
    return described && { colour: colours[described.tone], text: formatText(described, width) };
  };
}

function formatText({ tone, text }: DescribedEvent, width: number): string {
  if (tone === "call") return fitLine(text, Math.min(width, maxToolLength));
  const longest = tone === "warning" ? maxWarningLength : maxToolLength;
  const [first = "", ...rest] = wrap(fitLine(text, longest), width - indent.length);
  return [first, ...rest.map((each) => indent + each)].join("\n");
}
