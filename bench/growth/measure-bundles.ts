/** Runs one kind of work on a bundle, and prints its CPU time and the peak memory of this process. */
import { join } from "node:path";
import { claimOutput } from "@bridle/app";
import { createRedactor, openRegularFile } from "@bridle/core";
import { openStore } from "@bridle/store-sqlite";
import { readRange } from "../../packages/app/src/bundles/archive/spool-file.ts";
import { maxBytes } from "../../packages/app/src/bundles/bundle-limits.ts";
import { checkBundle } from "../../packages/app/src/bundles/check-bundle.ts";
import { makeBundle } from "../../packages/app/src/bundles/make-bundle.ts";
import { NewestRunsBuilder } from "../../packages/app/src/bundles/texts/run-facts.ts";
import { RunTexts } from "../../packages/app/src/bundles/texts/run-texts.ts";
import { ToolsText } from "../../packages/app/src/bundles/texts/tools-text.ts";
import { TranscriptText } from "../../packages/app/src/bundles/texts/transcript-text.ts";
import type { MeasuredCost } from "./cost.ts";
import { eventsOfCalls } from "./long-sessions.ts";

const redactor = createRedactor({ secrets: ["tulip-meadow-9931"] });
const name = "bundle.tar.gz";

async function bundle(folder: string): Promise<void> {
  const eventLog = openStore({ folder });
  const output = await claimOutput(name, { cwd: folder, flag: "--out", force: true });
  const happened = { target: { sessionId: "long" }, eventLog };
  const facts = { redactor, checks: [], logs: {} };
  await makeBundle({ happened, facts, version: "0", withArtifacts: false, at: new Date() }, output);
  await eventLog.close();
}

async function check(folder: string): Promise<void> {
  await using file = await openRegularFile(join(folder, name), maxBytes);
  const { size } = await file.stat();
  const { problems } = await checkBundle({ size, stream: () => readRange(file, 0, size) }, name, redactor);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function transcript(calls: string): Promise<void> {
  const events = eventsOfCalls(Number(calls));
  begin();
  let length = 0;
  const sink = {
    add(text: string) {
      length += text.length;
    },
  };
  const newest = new NewestRunsBuilder();
  const run = new RunTexts(new TranscriptText(sink), new ToolsText(sink));
  for (const event of events) run.add(event, newest.add(event));
  run.end();
  if (length === 0) throw new Error("The transcript is empty.");
}

const works: Readonly<Record<string, (word: string) => Promise<void>>> = { bundle, check, transcript };

let before = process.cpuUsage();
/** Starts the measurement. Preparations before do not count. */
function begin(): void {
  before = process.cpuUsage();
}

const [work = "", word = ""] = process.argv.slice(2);
await works[work]?.(word);
const { user, system } = process.cpuUsage(before);
const cost: MeasuredCost = { value: (user + system) / 1000, peakMegabytes: process.resourceUsage().maxRSS / 1000 };
console.log(JSON.stringify(cost));
