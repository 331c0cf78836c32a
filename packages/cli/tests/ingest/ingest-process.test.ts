import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";
import { ReadingModel } from "./reading-model.ts";

let place: Place;
let rehearsal: Rehearsal;
let model: ReadingModel;
beforeEach(async () => {
  place = await createPlace();
  model = new ReadingModel();
  rehearsal = await startRehearsal({ model: (request) => model.answer(request) });
  await mkdir(join(place.project, "docs"));
  for (let index = 0; index < 60; index += 1)
    await writeFile(join(place.project, `docs/${nameOf(index)}.md`), `# ${nameOf(index)}\n\n${factOf(index)}\n`);
  await writeFile(
    join(place.project, "bridle.yaml"),
    `llm: { provider: { backend: anthropic, apiKey: key-of-test, baseUrl: "${rehearsal.url}" }, models: { default: claude-sonnet-5-5 } }
context: { sources: { words: { type: documents, path: docs } } }
`,
  );
});
afterEach(async () => {
  await rehearsal.close();
  await place.remove();
});

const starts = ["ba", "ce", "di", "fo", "gu", "he", "ji"];
const ends = ["lon", "mar", "nix", "pod", "qur", "rev", "sit", "tov", "vun", "wyk"];
/** Words that no two documents share, so that no two facts are similar. */
const nameOf = (index: number) => `${starts[index % starts.length]}${ends[index % ends.length]}`;
const factOf = (index: number) => `The ${nameOf(index)}ing ${nameOf(index)}s every ${nameOf(index)}er.`;

const ingest = (...words: string[]) => startCommand(["context", "ingest", "--concurrency", "1", ...words], place);
const lightCalls = () => model.asked.filter((each) => each === "You copy facts from ").length;
const wikiText = async () => {
  const folder = join(place.project, "context/wiki");
  const names = existsSync(folder) ? await readdir(folder) : [];
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
};

test("Ctrl-C in the middle keeps each answer, another ingest is refused meanwhile, and the next run asks only the rest", async () => {
  let second: ReturnType<typeof ingest> | undefined;
  const first = ingest();
  const refused = Promise.withResolvers<string>();
  model.onRequest = async ({ system }) => {
    if (!system.includes("You copy facts") || lightCalls() !== 2) return undefined;
    second = ingest();
    refused.resolve(`${await second.ended} ${second.stderr()}`);
    first.child.kill("SIGINT");
    await first.ended; // an answer that arrives before the signal would also be stored
    return undefined;
  };
  expect(await first.ended).toBe(130);
  expect(first.stderr()).toContain("the next run of the same command continues");
  expect(await refused.promise).toMatch(/^3 Another ingest is in progress: the process \d+ began it at /);
  expect(await wikiText()).toBe("");

  model.onRequest = undefined;
  model.asked.length = 0;
  const next = ingest("--json");
  expect(await next.ended).toBe(0);
  const report = JSON.parse(next.stdout());
  expect(report).toMatchObject({ ended: "complete", added: { length: 60 } });
  expect(lightCalls()).toBe(2);
  expect(model.asked).not.toContain("You sort passages of");
  expect(report.stages.find(({ stage }: { stage: string }) => stage === "light")).toMatchObject({
    stored: 24,
    costUsd: expect.any(Number),
  });
  expect(await wikiText()).toContain(factOf(42).slice(0, -1));

  model.asked.length = 0;
  const unchanged = ingest();
  expect(await unchanged.ended).toBe(0);
  expect(model.asked).toEqual([]);
});

test("a budget in dollars is never exceeded, and the run ends with exit code 1 and what is left", async () => {
  const small = ingest("--budget-usd", "0.004", "--json");
  expect(await small.ended).toBe(1);
  const report = JSON.parse(small.stdout());
  expect(report).toMatchObject({ ended: "budget", unfinished: expect.arrayContaining([expect.anything()]) });
  const spent = report.stages.reduce((sum: number, { costUsd = 0 }) => sum + costUsd, 0);
  expect(spent).toBeLessThanOrEqual(0.004);
  expect(small.stderr()).toContain("Run the same command again to continue");
});
