import {
  type EventTarget,
  findEvents,
  followEvents,
  type ProjectEventLog,
  streamEvents,
  withEventLog,
} from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import type { RunEvent } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { fitLine } from "../../terminal/fit-line.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { formatJson } from "../../terminal/print-sentence.ts";
import { eventsOperand } from "./events-operand.ts";

export const eventsCommand = defineCommand({
  description: "Show the events of a run or session, one per line.",
  operand: eventsOperand,
  flags: {
    follow: {
      flag: "--follow",
      description: "keep printing new events until the run ends or you interrupt",
      value: z.boolean(),
    },
    last: {
      flag: "--last <n>",
      description: "show only the newest events",
      value: z.coerce.number().int().min(0),
      expected: "a whole number from 0",
    },
    json: { flag: "--json", description: "print each event as one line of JSON", value: z.boolean() },
    ...projectFlags,
  },
  examples: ["bridle events", "bridle events --follow --json support-42"],
  async run({ operand, flags: { follow = false, last, json = false, ...location } }, cli) {
    return withEventLog(await withProject(location, cli), async (eventLog) => {
      const target = await findEvents(eventLog, operand);
      const print = createPrinter(json, cli);
      const first = last === undefined ? streamEvents(eventLog, target) : await eventLog.read({ ...target, last });
      let seen: RunEvent | undefined;
      for await (const event of first) {
        print(event);
        seen = event;
      }
      seen ??= (await eventLog.read({ ...target, last: 1 })).at(-1);
      return follow ? printFollowing({ eventLog, target, newest: seen }, print, cli) : exitCodes.natural;
    });
  },
});

interface Followed {
  readonly eventLog: ProjectEventLog;
  readonly target: EventTarget;
  readonly newest: RunEvent | undefined;
}

async function printFollowing(
  { eventLog, target, newest }: Followed,
  print: (event: RunEvent) => void,
  cli: Cli,
): Promise<number> {
  const interruption = new Interruption(cli);
  try {
    for await (const event of followEvents(eventLog, target, newest, interruption.signal)) print(event);
    return interruption.interrupt ? exitCodes[interruption.interrupt] : exitCodes.natural;
  } finally {
    interruption.dispose();
  }
}

/** The maximum length of a line if standard output is not a terminal. */
const pipeWidth = 200;

function createPrinter(json: boolean, { stdout }: Cli): (event: RunEvent) => void {
  const width = stdout.columns ?? pipeWidth;
  return (event) => stdout.write(`${json ? formatJson(event) : formatEvent(event, width)}\n`);
}

function formatEvent({ seq, time, type, runId, sessionId, ...fields }: RunEvent, width: number): string {
  const prefix = `${String(seq).padStart(5)}  ${new Date(time).toISOString().slice(11, 23)}  ${type.padEnd(19)}`;
  return `${prefix} ${fitLine(formatJson(fields), Math.max(width - prefix.length - 1, 0))}`.trimEnd();
}
