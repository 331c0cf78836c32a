/**
 * Imports one contestant in a separate process, runs its loop alone and sixteen times at once, and prints the figures. The argument is the
 * contestant's `LoopSetting` as JSON.
 */
import type { PeerPlace } from "./peers.ts";

export interface LoopSetting {
  /** The address of the file with `start`. */
  readonly file: string;
  /** The address of the model. */
  readonly url: string;
  readonly place: PeerPlace;
  /** The folder of Bridle's `bridle.yaml`. */
  readonly projectDir?: string;
  readonly eventLog?: "project";
  /** The number of loops that run alone, and the number at concurrency 16. */
  readonly alone: number;
  readonly together: number;
}

export interface LoopFigures {
  readonly importMs: number;
  /** Milliseconds from the call to the answer of the first loop. */
  readonly firstMs: number;
  /** Milliseconds per step, for each loop that ran alone. */
  readonly stepMs: readonly number[];
  /** Steps per second at concurrency 16, and the milliseconds per step of each of these loops. */
  readonly stepsPerSecond: number;
  readonly busyStepMs: readonly number[];
  /** CPU time of this process per step. */
  readonly cpuMsPerStep: number;
  readonly residentMb: number;
}

type Loop = ((prompt: string) => Promise<unknown>) & { close?(): Promise<void> };

/** The steps of a loop: five calls to the tool, and the answer. */
export const stepsOfLoop = 6;
const concurrency = 16;

async function measure({ file, ...setting }: LoopSetting): Promise<LoopFigures> {
  const importMs = await time(() => import(file));
  const { start } = (await import(file)) as { start(setting: Omit<LoopSetting, "file">): Loop | Promise<Loop> };
  const loop = await start(setting);
  let count = 0;
  const once = () => {
    count += 1;
    const prompt = `Look ${count}`;
    return time(() => answer(loop, prompt));
  };
  const firstMs = await once();
  const stepMs: number[] = [];
  const cpu = process.cpuUsage();
  for (let index = 0; index < setting.alone; index += 1) stepMs.push((await once()) / stepsOfLoop);
  const { user, system } = process.cpuUsage(cpu);
  const busyStepMs: number[] = [];
  const wholeMs = await time(() => Promise.all(Array.from({ length: concurrency }, work)));
  await loop.close?.();

  async function work(): Promise<void> {
    while (count <= setting.alone + setting.together) busyStepMs.push((await once()) / stepsOfLoop);
  }
  return {
    importMs,
    firstMs,
    stepMs,
    busyStepMs,
    stepsPerSecond: (busyStepMs.length * stepsOfLoop * 1000) / wholeMs,
    cpuMsPerStep: (user + system) / 1000 / (setting.alone * stepsOfLoop),
    residentMb: process.memoryUsage().rss / 1024 / 1024,
  };
}

async function answer(loop: Loop, prompt: string): Promise<void> {
  const text = await loop(prompt);
  if (text !== "Done.") throw new Error(`The answer was ${JSON.stringify(text)}.`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const [, , setting] = process.argv;
if (setting !== undefined) {
  console.log(JSON.stringify(await measure(JSON.parse(setting))));
  process.exit(0); // a peer may keep connections open
}
