import fc from "fast-check";
import { expect, test } from "vitest";
import { createCallQueue } from "./call-queue.ts";

interface Job {
  readOnly: boolean;
  ticks: number;
  fails: boolean;
}

const job = fc.record({ readOnly: fc.boolean(), ticks: fc.nat(5), fails: fc.boolean() });

test("writers run alone and in order, readers in parallel, even if some fail", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 25 }), async (jobs) => {
      const { outcomes, log } = await play(jobs);
      expect(outcomes).toEqual(jobs.map(({ fails }, index) => (fails ? `failed ${index}` : index)));
      expect(log).toHaveLength(2 * jobs.length);
      for (const [index, { readOnly }] of jobs.entries()) expectOrder(log, jobs, index, readOnly);
    }),
  );
});

test("readers that follow one another all start before the first has ended", async () => {
  const { log } = await play([reader(3), reader(3), reader(3)]);
  expect(log.slice(0, 3)).toEqual(["+0", "+1", "+2"]);
});

test("a job that throws at once fails only its caller", async () => {
  const queue = createCallQueue();
  const thrower = () => {
    throw new Error("at once");
  };
  await expect(queue(false, thrower)).rejects.toThrow("at once");
  expect(await queue(false, async () => "next")).toBe("next");
});

function reader(ticks: number): Job {
  return { readOnly: true, ticks, fails: false };
}

async function play(jobs: readonly Job[]): Promise<{ outcomes: unknown[]; log: string[] }> {
  const queue = createCallQueue();
  const log: string[] = [];
  const outcomes = jobs.map(({ readOnly, ticks, fails }, index) =>
    queue(readOnly, async () => {
      log.push(`+${index}`);
      for (let tick = 0; tick < ticks; tick++) await undefined;
      log.push(`-${index}`);
      if (fails) throw new Error(`failed ${index}`);
      return index;
    }).catch((error: Error) => error.message),
  );
  return { outcomes: await Promise.all(outcomes), log };
}

/** Expects the order of the model: a job begins after the end of every earlier job, unless both only read. */
function expectOrder(log: readonly string[], jobs: readonly Job[], index: number, readOnly: boolean): void {
  for (let earlier = 0; earlier < index; earlier++) {
    if (readOnly && jobs[earlier]?.readOnly) continue;
    expect(log.indexOf(`-${earlier}`)).toBeLessThan(log.indexOf(`+${index}`));
  }
}
