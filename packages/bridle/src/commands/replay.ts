import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { findOnRecord, recordFlags, recordOperand, withRecord } from "../record/open-record.ts";
import { promptText } from "../record/prompt-text.ts";
import { eachEvent } from "../record/readable-events.ts";
import { harmless } from "../run/harmless.ts";
import { watchInterruptions } from "../run/interruption.ts";
import { createLiveView } from "../run/live-view.ts";
import { reasonOf, sayReason } from "../run/view.ts";

/** A longer silence is shown as this long, in milliseconds: somebody may have been asked overnight. */
const longestSilence = 5000;

export const replayCommand = defineCommand({
  description: `Show a run, or the runs of a session, as they happened: with the same text and the same pauses, of five seconds at most.
Nothing is run, and no model is asked.`,
  operand: recordOperand,
  flags: { fast: { flag: "--fast", description: "without the pauses", value: z.boolean() }, ...recordFlags },
  examples: ["bridle replay", "bridle replay --fast support-42"],
  run: async ({ operand, flags: { fast = false, ...flags } }, cli) =>
    withRecord(flags, cli, async (record) => replay(eachEvent(record, findOnRecord(record, operand)), fast, cli)),
});

async function replay(events: AsyncIterable<RunEvent>, fast: boolean, cli: Cli): Promise<number> {
  const interruption = watchInterruptions(cli);
  const show = createLiveView(cli);
  let previous: number | undefined;
  try {
    for await (const event of events) {
      const silence = Math.min(Math.max(event.time - (previous ?? event.time), 0), longestSilence);
      if (!fast) await sleep(silence, undefined, { signal: interruption.signal }).catch(() => {});
      if (interruption.signal.aborted) break;
      previous = event.time;
      if (event.type === "model.input") sayPrompt(event.messages.map(promptText), cli);
      show(event);
      if (event.type === "run.finished") sayReason(reasonOf(event.result), cli);
    }
    return interruption.interrupt ? exitCodes[interruption.interrupt] : exitCodes.natural;
  } finally {
    interruption.dispose();
  }
}

function sayPrompt(texts: readonly string[], { stdout }: Cli): void {
  for (const text of texts) stdout.write(`> ${harmless(text)}\n\n`);
}
