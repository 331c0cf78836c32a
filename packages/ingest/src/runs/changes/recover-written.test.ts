import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CheckedCandidate } from "../../claims/checked-candidate.ts";
import type { Claim } from "../../claims/claim.ts";
import { curateClaims } from "../../curation/curate-claims.ts";
import { curatorOptions, MemoryAnswers, stated } from "../../curation/scripted-curator-for-tests.ts";
import { applyChanges } from "./apply-changes.ts";
import { planChanges } from "./plan-changes.ts";

let projectDir: string;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-recover-"));
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

async function run(candidates: readonly CheckedCandidate[], previous: readonly Claim[]): Promise<readonly Claim[]> {
  const curated = await curateClaims(candidates, curatorOptions({}, { answers: new MemoryAnswers() }));
  const planned = await planChanges(curated, { projectDir, previous, signal: new AbortController().signal });
  const options = { projectDir, stateDir: join(projectDir, ".bridle"), reason: "ingest: test" };
  return (await applyChanges(planned, options)).changeSet.claims;
}

const fact = (item: string, text: string, subject: string) => stated(text, { item }, { subject, topic: "fares" });
const described = (text: string): CheckedCandidate => {
  const { source } = stated(text, { item: "columns.md" });
  return { body: { kind: "description", subject: "shop.main.orders", text }, source };
};
const before = [
  fact("a.md", "A pass costs 29 euro.", "pass"),
  fact("b.md", "A dock has a bell.", "dock"),
  described("Paid orders."),
];
const after = [fact("a.md", "A pass costs 30 euro.", "pass"), described("Shipped orders.")];
const texts = () =>
  globSync("context/{wiki,tables}/**/*.*", { cwd: projectDir }).map((file) =>
    readFileSync(join(projectDir, file), "utf8"),
  );

test("if the record of what was written is lost, what documents do not say any more is replaced, and a person's text stays", async () => {
  const claims = await run(before, []);
  rmSync(join(projectDir, "context/written.yaml"));
  const page = join(projectDir, "context/wiki/fares.md");
  writeFileSync(page, `${readFileSync(page, "utf8")}\nAsk Ann about passes.\n`);
  await run(after, claims);
  const written = texts().join("\n");
  for (const text of ["30 euro", "Shipped orders.", "Ask Ann about passes."]) expect(written).toContain(text);
  for (const text of ["29 euro", "bell", "Paid orders."]) expect(written).not.toContain(text);
});

test("if the whole folder of the context is lost, everything is written again, and nothing counts as removed by a person", async () => {
  const claims = await run(before, []);
  const written = texts();
  rmSync(join(projectDir, "context"), { recursive: true });
  await run(before, claims);
  expect(texts()).toEqual(written);
});

test("files that were never written are not recovered, so that nobody counts as having removed them", async () => {
  const curated = await curateClaims(before, curatorOptions({}, { answers: new MemoryAnswers() }));
  const options = { projectDir, signal: new AbortController().signal };
  const { claims } = await planChanges(curated, options);
  const planned = await planChanges(curated, { ...options, previous: claims });
  expect([...planned.writtenBefore.keys()]).toEqual([]);
});
