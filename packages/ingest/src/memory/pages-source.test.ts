import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { Claim } from "../claims/claim.ts";
import { curateClaims } from "../curation/curate-claims.ts";
import { curatorOptions, stated } from "../curation/scripted-curator-for-tests.ts";
import { applyChanges } from "../runs/changes/apply-changes.ts";
import { planChanges } from "../runs/changes/plan-changes.ts";
import { createPagesSource } from "./pages-source.ts";

let projectDir: string;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-pages-"));
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

async function write(candidates: readonly CheckedCandidate[]): Promise<readonly Claim[]> {
  const options = curatorOptions({ relation: (a, b) => (/fare|Retention/.test(a + b) ? "conflict" : "different") });
  const curated = await curateClaims(candidates, options);
  const planned = await planChanges(curated, { projectDir, signal: options.signal });
  const { changeSet } = await applyChanges(planned, {
    projectDir,
    stateDir: join(projectDir, ".bridle"),
    reason: "ingest: test",
  });
  return changeSet.claims;
}

async function paragraphs(claims: readonly Claim[]): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const texts: string[] = [];
  for await (const event of createPagesSource(projectDir, () => claims).fetch({
    cursor: undefined,
    signal,
    updatedAtOf: () => undefined,
  }))
    if (event.kind === "item") texts.push(event.item.text);
  return texts;
}

test("without the record of what was written, what ingest has rendered is nobody's word, and a person's text still is", async () => {
  const dated = (text: string, item: string, since: string) =>
    stated(text, { item, updatedAt: since }, { subject: "gross fare", since });
  const claims = await write([
    stated("A dock has a heartbeat.", { item: "a.md" }),
    stated("A dock has a heartbeat.", { item: "b.md" }),
    dated("The gross fare is before refunds of 3 euro.", "old.md", "2026-01-01"),
    dated("The gross fare is before refunds of 5 euro.", "new.md", "2026-02-01"),
    stated("Retention is the share of riders with a trip in both of two following months."),
    stated("Retention is the share of passes renewed within 35 days."),
  ]);
  expect(claims.map(({ status }) => status).sort()).toEqual([
    "contested",
    "contested",
    "current",
    "current",
    "superseded",
  ]);
  rmSync(join(projectDir, "context/written.yaml"));
  expect(await paragraphs(claims)).toEqual([]);
  appendFileSync(join(projectDir, "context/wiki/facts.md"), "\nA dock stands on a pavement.\n");
  expect(await paragraphs(claims)).toEqual(["A dock stands on a pavement."]);
});
