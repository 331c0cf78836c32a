/** Tests documents in the published command: the command's bundle must include working parsers and the PostgreSQL client. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  await mkdir(join(place.project, "docs"));
  for (const [name, text] of Object.entries({
    "a.md": "# Returns\n\nparcels",
    "b.html": "<h1>Returns</h1><p>parcels</p>",
    "c.csv": "id,what\n1,parcels",
    "d.json": '[{ "what": "parcels" }]',
    "broken.pdf": "parcels",
    "broken.docx": "parcels",
  }))
    await writeFile(join(place.project, "docs", name), text);
  const database = 'database: { provider: postgres, connection_string: "postgresql://me:hunter2@127.0.0.1:1/shop" }';
  const tools = `  - { type: documents, name: handbook, source: docs }\n  - { type: documents, name: away, source: docs, ${database} }`;
  await writeFile(join(place.project, "agent.yaml"), `name: desk\ninstructions: { inline: Help. }\ntools:\n${tools}\n`);
});
afterAll(() => place.remove());

async function bridle(...words: string[]) {
  const started = promisify(execFile)(process.execPath, [bin, "documents", ...words], {
    cwd: place.project,
    env: place.environment,
  });
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test("the built command reads every format, and names damaged files", async () => {
  const { code, stdout } = await bridle("index", "--tool", "handbook");
  expect([code, stdout.match(/added {4}docs\/\S+/g)?.length]).toEqual([1, 4]);
  expect(stdout).toContain("failed   docs/broken.pdf cannot be read as a PDF (Invalid PDF structure).");
  expect(stdout).toContain("failed   docs/broken.docx cannot be read as a Word document.");
  const found = await bridle("search", "parcels", "--tool", "handbook", "--json");
  expect(JSON.parse(found.stdout).documents[0].hits).toHaveLength(4);
});

test("the built command connects to PostgreSQL, and names the address if no server is there", async () => {
  const { code, stderr } = await bridle("status", "--tool", "away");
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/PostgreSQL \(127\.0\.0\.1:1\/shop\) cannot be used: connect ECONNREFUSED/),
  ]);
  expect(stderr).not.toContain("hunter2");
});
