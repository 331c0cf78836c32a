import { setTimeout as sleep } from "node:timers/promises";
import { findEvents, promptText, streamEvents, withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { endReason } from "@bridle/app/runs";
import type { EventOf, RunEvent } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { createLiveView } from "../../run-view/live-view.ts";
import { printReason } from "../../run-view/run-view.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { eventsOperand } from "./events-operand.ts";

/** The longest pause, in milliseconds. Without a limit, a question that waited overnight would make the replay wait. */
const maxPauseMs = 5000;

export const replayCommand = defineCommand({
  description: `Replay a run, or the runs of a session, as they happened: the same text with the same pauses, up to
five seconds each.
Runs no tools and calls no model.`,
  operand: eventsOperand,
  flags: { fast: { flag: "--fast", description: "skip the pauses", value: z.boolean() }, ...projectFlags },
  examples: ["bridle replay", "bridle replay --fast support-42"],
  run: async ({ operand, flags: { fast = false, ...location } }, cli) =>
    withEventLog(await withProject(location, cli), async (eventLog) =>
      replay(streamEvents(eventLog, await findEvents(eventLog, operand)), fast, cli),
    ),
});

async function replay(events: AsyncIterable<RunEvent>, fast: boolean, cli: Cli): Promise<number> {
  const interruption = new Interruption(cli);
  const show = createLiveView(cli);
  let previous: number | undefined;
  try {
    for await (const event of events) {
      const pause = Math.min(Math.max(event.time - (previous ?? event.time), 0), maxPauseMs);
      if (!fast) await sleep(pause, undefined, { signal: interruption.signal }).catch(() => {});
      if (interruption.signal.aborted) break;
      previous = event.time;
      if (event.type === "model.input") printPrompts(event.messages, cli);
      show(event);
      if (event.type === "run.finished") printReason(endReason(event.result), cli);
    }
    return interruption.interrupt ? exitCodes[interruption.interrupt] : exitCodes.natural;
  } finally {
    interruption.dispose();
  }
}

function printPrompts(messages: EventOf<"model.input">["messages"], { stdout }: Cli): void {
  const prompts = messages.filter(({ role }) => role === "user");
  for (const prompt of prompts) stdout.write(`> ${toPrintable(promptText(prompt))}\n\n`);
}
