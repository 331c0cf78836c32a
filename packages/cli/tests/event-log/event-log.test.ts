import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { appendEvents } from "@bridle/conformance";
import { runEventSchema } from "@bridle/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packFiles, unpackFiles } from "../../../app/src/bundles/archive/tar-for-tests.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number.",
    input: z.object({ id: z.string() }),
    execute: async ({ id }) => "Order " + id + " was paid with tulip-9931-meadow.",
  }),
];
`;

const script = `
rehearsal: 1
turns:
  - when: { user: order }
    steps:
      - { say: Let me look., call: lookup_order, with: { id: A-1 } }
      - say: It has shipped.
`;

const secret = { SHOP_API_KEY: "tulip-9931-meadow" };

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "tools.ts"), tools);
  await writeFile(join(place.project, "script.yaml"), script);
  expect(await run("Where is my order?")).toMatchObject({ code: 0 });
  expect(await run("Something else")).toMatchObject({ code: 1 });
});
afterAll(() => place.remove());

function run(prompt: string, ...more: string[]) {
  return bridle("run", "--rehearse", "script.yaml", "--tools", "tools.ts", ...more, prompt);
}

const bridle = (...words: string[]) => finishCommand(startCommand(words, place, secret));

/** Returns the id of the first of the two runs. Without an id, commands use the newest. */
async function firstRun(): Promise<string> {
  const { stderr } = await bridle("events", "nothing-like-it");
  expect(stderr).toBe('No run and no session "nothing-like-it" is in the event log of this project.\n');
  const { openStore } = await import("@bridle/store-sqlite");
  const store = openStore({ folder: join(place.project, ".bridle"), readOnly: true });
  const id = (await store.runs()).at(-1)?.runId ?? "";
  store.close();
  return id;
}

test("bridle events prints the events of an earlier run, as complete JSON or as lines, without secrets", async () => {
  const id = await firstRun();
  const { code, stdout } = await bridle("events", "--json", id);
  const events = stdout.trimEnd().split("\n");
  const parsed = events.map((line) => runEventSchema.parse(JSON.parse(line)));
  expect(code).toBe(0);
  expect(parsed.map(({ seq }) => seq)).toEqual(parsed.map((_, index) => index + 1));
  expect(parsed.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
  expect(stdout).toContain("was paid with [secret SHOP_API_KEY].");
  expect(stdout).not.toContain(secret.SHOP_API_KEY);
  const lines = await bridle("events", "--last", "2", "--follow", id);
  expect(lines.stdout.split("\n")).toHaveLength(3);
  expect(lines.stdout).toMatch(/^ +\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}\S+ +\{.*\n.* run\.finished +\{/);
});

test("bridle replay shows a run as bridle run did, with its prompt", async () => {
  const { code, stdout, stderr } = await bridle("replay", "--fast", await firstRun());
  expect({ code, stdout }).toEqual({ code: 0, stdout: "> Where is my order?\n\nLet me look.\nIt has shipped.\n" });
  expect(stderr).toMatch(/^→ lookup_order \{"id":"A-1"\}\n✓ lookup_order \d+ ms\n$/);
});

test("bridle bundle shows why the newest run failed, and bridle bundle --check verifies the bundle", async () => {
  const { code, stdout } = await bridle("bundle", "--artifacts", "--out", "failed.tar.gz");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "failed.tar.gz\n" });
  const path = join(place.project, "failed.tar.gz");
  const files = unpackFiles(gunzipSync(await readFile(path)));
  const transcript = files.find((file) => file.path === "transcript.md");
  expect(Buffer.from(transcript?.content ?? []).toString()).toMatch(
    /## User\n\n> Something else[\s\S]*Ended: error: InvalidRequestError \(invalid_request\): The rehearsal does not match: script\.yaml: no turn matches/,
  );
  expect(files.map((file) => file.path.replace(/\/[0-9a-f]{64}$/, "/*"))).toEqual([
    "manifest.json",
    "versions.json",
    "doctor.json",
    "status.json",
    "capabilities.json",
    "configuration.json",
    "events.jsonl",
    "summary.txt",
    "transcript.md",
    "tools.md",
    "timeline.txt",
    "implicit-sources.json",
    "artifacts/*",
  ]);
  const checked = await bridle("bundle", "--check", "failed.tar.gz");
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(checked.stdout).toContain("left out: bridle.yaml, because the project has none\n");

  const planted = files.map((file) =>
    file.path === "status.json" ? { ...file, content: Buffer.from(`{}\n"sk-ant-api03-${"aB3".repeat(9)}"`) } : file,
  );
  await writeFile(path, gzipSync(packFiles([...planted, { path: "more", content: Buffer.from("x") }], new Date(0))));
  expect(await bridle("bundle", "--check", "failed.tar.gz")).toMatchObject({
    code: 1,
    stderr: [
      "failed.tar.gz: status.json was changed.\n",
      "failed.tar.gz: more is not in the manifest.\n",
      "failed.tar.gz: status.json:2 contains a credential.\n",
    ].join(""),
  });
  await writeFile(path, "not a bundle");
  expect(await bridle("bundle", "--check", "failed.tar.gz")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^failed\.tar\.gz is not a bundle: /),
  });
});

test("bridle bundle writes nothing if it finds a credential", async () => {
  const { openStore } = await import("@bridle/store-sqlite");
  const blind = { text: (text: string) => text, value: (value: unknown) => value };
  const store = openStore({ folder: join(place.project, ".bridle"), redactor: blind });
  const notice = { type: "notice", level: "info", code: "c", message: `It is ${secret.SHOP_API_KEY}.` } as const;
  await appendEvents(store, { runId: "leaky" }, notice);
  store.close();
  const { code, stderr } = await bridle("bundle", "--out", "leaky.tar.gz", "leaky");
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The bundle was not written: it would contain a credential \(events\.jsonl:1, /);
  expect(existsSync(join(place.project, "leaky.tar.gz"))).toBe(false);
});

test("an ephemeral run leaves nothing on disk", async () => {
  const { project } = place;
  const other = { ...place, project: join(project, "..", "home") };
  const command = startCommand(["run", "--ephemeral", "--rehearse", join(project, "script.yaml"), "order"], other);
  expect(await command.ended).toBe(0);
  expect(existsSync(join(other.project, ".bridle"))).toBe(false);
  const nothing = startCommand(["events"], other);
  expect(await nothing.ended).toBe(3);
  expect(nothing.stderr()).toBe('The event log of this project is empty. "bridle run" writes to it.\n');
});
