import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { findOnRecord, type ProjectRecord, recordFlags, recordOperand, withRecord } from "../record/open-record.ts";
import { eachEvent } from "../record/readable-events.ts";
import { oneLine } from "../run/format.ts";
import { watchInterruptions } from "../run/interruption.ts";

export const eventsCommand = defineCommand({
  description: "Show what is on record of a run or a session: one event a line.",
  operand: recordOperand,
  flags: {
    follow: {
      flag: "--follow",
      description: "go on until the run has ended, or until interrupted",
      value: z.boolean(),
    },
    last: {
      flag: "--last <n>",
      description: "only the newest events",
      value: z.coerce.number().int().min(0),
      expected: "a whole number from 0",
    },
    json: { flag: "--json", description: "print each event as one line of JSON", value: z.boolean() },
    ...recordFlags,
  },
  examples: ["bridle events", "bridle events --follow --json support-42"],
  async run({ operand, flags: { follow = false, last, json = false, ...flags } }, cli) {
    return withRecord(flags, cli, async (record) => {
      const target = findOnRecord(record, operand);
      const print = printer(json, cli);
      const first = last === undefined ? eachEvent(record, target) : record.events({ ...target, last });
      let seen: RunEvent | undefined;
      for await (const event of first) {
        print(event);
        seen = event;
      }
      seen ??= record.events({ ...target, last: 1 }).at(-1);
      return follow ? followOn(record, target, seen, print, cli) : exitCodes.natural;
    });
  },
});

type Target = ReturnType<typeof findOnRecord>;

/** Characters of a line where nobody says how wide the terminal is. */
const widthOfPipes = 200;

/** How often the record is looked at, in milliseconds. */
const pollMs = 100;

/** A run is over with its end, also where its process dies meanwhile; a session goes on until nobody looks any more. */
async function followOn(
  record: ProjectRecord,
  target: Target,
  newest: RunEvent | undefined,
  print: (event: RunEvent) => void,
  cli: Cli,
): Promise<number> {
  const interruption = watchInterruptions(cli);
  let seen = newest;
  try {
    while (!("runId" in target && seen?.type === "run.finished") && !interruption.signal.aborted) {
      await sleep(pollMs);
      record.endInterrupted();
      for (const event of record.events({ ...target, from: (seen?.seq ?? 0) + 1 })) {
        print(event);
        seen = event;
      }
    }
    return interruption.interrupt ? exitCodes[interruption.interrupt] : exitCodes.natural;
  } finally {
    interruption.dispose();
  }
}

function printer(json: boolean, { stdout }: Cli): (event: RunEvent) => void {
  const width = stdout.columns ?? widthOfPipes;
  return (event) => stdout.write(`${json ? JSON.stringify(event) : lineOf(event, width)}\n`);
}

function lineOf({ seq, time, type, runId, sessionId, ...fields }: RunEvent, width: number): string {
  const place = `${String(seq).padStart(5)}  ${new Date(time).toISOString().slice(11, 23)}  ${type.padEnd(19)}`;
  return `${place} ${oneLine(JSON.stringify(fields), Math.max(width - place.length - 1, 0))}`.trimEnd();
}
