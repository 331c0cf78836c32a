import { afterAll, beforeAll, expect, test } from "vitest";
import { metricRefusalReasons } from "../../src/refusals/metric-refusal.ts";
import { startEngines, startLocalEngines, type TestEngine } from "../engines.ts";
import { checkWorld, type RandomFigures } from "./check-world.ts";

const isLong = process.env.SOAK_FACTOR !== undefined;
const [worlds, queries] = isLong ? [1000, 20] : [20, 8];
const first = Number(process.env.RANDOM_SEED ?? 1);
let engines: readonly TestEngine[] = [];

beforeAll(async () => {
  engines = await (isLong ? startEngines() : startLocalEngines());
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

test("random queries over random schemas have the rows of a naive evaluator", { timeout: 3_600_000 }, async () => {
  const figures: RandomFigures = { answered: 0, refused: new Map() };
  for (let seed = first; seed < first + worlds; seed += 1) {
    await checkWorld(engines, seed, queries, figures);
    if (isLong && (seed - first) % 50 === 49) console.log(`${seed}:`, figures);
  }
  const refused = [...figures.refused.values()].reduce((sum, count) => sum + count, 0);
  expect(figures.answered).toBeGreaterThan(2 * refused);
  expect(metricRefusalReasons).toEqual(expect.arrayContaining([...figures.refused.keys()]));
});
