import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ModelPartBody } from "../claims/gates/gate.ts";
import { KnownNames } from "../claims/gates/known-names.ts";
import type { CandidateBody } from "../sources/candidate.ts";
import { openIngestStore } from "../store/ingest-store.ts";
import { rememberChecks, unasked } from "./remembered-checks.ts";

const lost = `${unasked}: the connection is lost.`;
type Join = Extract<CandidateBody, { kind: "join" }>;
const tripsOfRiders: Join = { kind: "join", from: ["shop.main.trips.rider_id"], to: ["shop.main.riders.id"] };
const tripsOfDocks: Join = { kind: "join", from: ["shop.main.trips.dock_id"], to: ["shop.main.riders.id"] };
const revenue: ModelPartBody = {
  kind: "model-part",
  model: "trips",
  part: "measure",
  name: "revenue",
  entry: { agg: "sum", expr: "fare" },
};
const { signal } = new AbortController();

/** Creates checks against a warehouse that a test can disconnect and change. */
function remembering() {
  const stateDir = mkdtempSync(join(tmpdir(), "bridle-checks-"));
  const store = openIngestStore({ stateDir });
  onTestFinished(() => {
    store.close();
    rmSync(stateDir, { recursive: true });
  });
  const data = { version: "1", answer: (_asked: unknown): string | undefined => undefined, asked: 0 };
  const check = async (asked: unknown) => {
    data.asked += 1;
    return data.answer(asked);
  };
  const knowledge = {
    names: () => new KnownNames({ tables: [] }),
    contextTools: [],
    version: () => data.version,
    checkJoin: check,
    checkModelPart: check,
  };
  return {
    data,
    join: (body: Join) => rememberChecks(knowledge, store).checkJoin?.(body, signal),
    part: () => rememberChecks(knowledge, store).checkModelPart?.(revenue, [], signal),
  };
}

test("joins and measures that were accepted hold while the warehouse gives no answer, also after files have changed", async () => {
  const { data, join: checkJoin, part } = remembering();
  expect([await checkJoin(tripsOfRiders), await part()]).toEqual([undefined, undefined]);
  data.version = "2";
  data.answer = () => lost;
  expect([await checkJoin(tripsOfRiders), await part()]).toEqual([undefined, undefined]);
  expect(await checkJoin(tripsOfDocks)).toBe(lost);
  expect(data.asked).toBe(5);
});

test("what the data said last holds while the warehouse gives no answer, and they are asked again", async () => {
  const { data, join: checkJoin } = remembering();
  await checkJoin(tripsOfRiders);
  data.version = "2";
  data.answer = () => "Only 3 of 10 values have a partner.";
  await checkJoin(tripsOfRiders);
  data.version = "3";
  data.answer = () => lost;
  expect(await checkJoin(tripsOfRiders)).toBe("Only 3 of 10 values have a partner.");
  data.answer = () => undefined;
  expect(await checkJoin(tripsOfRiders)).toBeUndefined();
});
