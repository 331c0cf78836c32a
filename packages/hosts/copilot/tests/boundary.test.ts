import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BoundaryEvidence, collectEvidence, judgeEvidence } from "../src/proof/prove.ts";
import { canary, plantTraps, type Traps } from "./support/traps.ts";

let folder = "";
let traps: Traps;
let evidence: BoundaryEvidence;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-traps-"));
  traps = await plantTraps(folder);
  evidence = await collectEvidence(traps);
});
afterAll(() => rm(folder, { recursive: true }));

test("among traps, only the caller's input reaches the model, no tool of the runtime runs, and no other host is reached", () => {
  for (const finding of judgeEvidence(evidence)) expect(finding).toMatchObject({ ok: true });
  expect(evidence.requests).toHaveLength(2);
});

test("no text and no credential of a trap is in a request or its headers, and no trap has run", () => {
  expect(JSON.stringify(evidence.requests)).not.toContain(canary);
  expect(JSON.stringify(evidence.requests.map(({ headers }) => headers))).toContain("key-of-the-proof");
  expect(existsSync(traps.effectFile)).toBe(false);
});
