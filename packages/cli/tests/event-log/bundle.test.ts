import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createRedactor } from "@bridle/core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packFiles, type TarFile, unpackFiles } from "../../../app/src/bundles/archive/tar-for-tests.ts";
import { checkBundle } from "../../../app/src/bundles/check-bundle.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

const config = `
llm: { provider: { backend: anthropic, apiKey: "\${ANTHROPIC_API_KEY}" }, models: { default: claude-opus-5 } }
policy: { mode: normal, rules: [{ tool: send, then: deny }, { tool: look, then: allow }, { tool: charge, then: allow }] }
`;

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";
const input = z.object({ id: z.string() });
export default [
  defineTool({ name: "look", description: "Looks.", input, execute: async ({ id }) => { throw new Error("no order " + id); } }),
  defineTool({ name: "send", description: "Sends.", input, execute: async () => "sent" }),
  defineTool({ name: "charge", description: "Charges.", input, execute: () => new Promise(() => { console.error("charging"); setInterval(() => {}, 1000); }) }),
];
`;

const call = (tool: string) => ({ call: tool, with: { id: "A-1" } });
const turns = [
  {
    when: { user: "overloaded" },
    steps: [
      { say: "Let me look.", ...call("look") },
      { status: 529, forever: true, headers: { "retry-after-ms": 5 } },
    ],
  },
  { when: { user: "killed" }, steps: [{ say: "I charge it.", ...call("charge") }] },
  { when: { user: "denied" }, steps: [{ ...call("send"), forever: true }] },
];

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "bridle.yaml"), config);
  await writeFile(join(place.project, "tools.ts"), tools);
  await writeFile(join(place.project, "script.yaml"), JSON.stringify({ rehearsal: 1, turns }));
});
afterAll(() => place.remove());

function start(...words: string[]) {
  return startCommand(words, place, { ANTHROPIC_API_KEY: "tulip-meadow-9931" });
}

const bridle = (...words: string[]) => finishCommand(start(...words));

const run = (...words: string[]) => ["run", "--rehearse", "script.yaml", "--tools", "tools.ts", ...words];

/** Creates the bundle of the newest run: its files by name, and the result of its check. */
async function bundleOf(name: string) {
  expect(await bridle("bundle", "--force", "--out", name)).toEqual({ code: 0, stdout: `${name}\n`, stderr: "" });
  const archive = unpackFiles(gunzipSync(await readFile(join(place.project, name))));
  const files = Object.fromEntries(archive.map(({ path, content }) => [path, Buffer.from(content).toString("utf8")]));
  return { files, check: await bridle("bundle", "--check", name) };
}

test("the bundle of a run with a failed tool and an overloaded host shows the call, each new attempt and the end", async () => {
  expect((await bridle(...run("The overloaded one"))).code).not.toBe(0);
  const { files, check } = await bundleOf("overloaded.tar.gz");
  expect(check).toMatchObject({ code: 0, stderr: "" });
  expect(check.stdout).toContain('prompt: "The overloaded one"');
  expect(check.stdout).toContain("model: claude-opus-5 on anthropic (rehearsed: a script answered), 20 steps at most");
  expect(check.stdout).toContain("tools: look, send, charge; rules: ");
  expect(check.stdout).toMatch(
    /call: \+\d+\.\d{3} s look \{"id":"A-1"\}: allow by .+; failed after \d+ ms: .*no order A-1/,
  );
  expect(check.stdout).toMatch(/retry: \+\d+\.\d{3} s: .*\(529\); attempt 2 of \d+ in 5 ms/);
  expect(check.stdout).toMatch(/ended: error: OverloadedError \(overloaded\): /);
  expect(check.stdout.split("\n").length).toBeLessThan(40);
  expect(files["transcript.md"]).toMatch(
    /## Model\n\n> Let me look\.[\s\S]*## Tool look[\s\S]*no order A-1[\s\S]*## Retry at /,
  );
  expect(files["tools.md"]).toMatch(/## look \(.+\) at \+\d+\.\d{3} s: failed[\s\S]*Decision: allow by /);
  expect(files["timeline.txt"]).toMatch(/tool\.evaluated .*"rule"/);
  expect(Object.keys(files).some((path) => path.startsWith("policies/"))).toBe(true);
  const { settings, sha256 } = JSON.parse(files["configuration.json"] ?? "");
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(settings).toContainEqual({
    path: "llm.provider.apiKey",
    value: `$\{ANTHROPIC_API_KEY}`,
    from: expect.stringMatching(/^bridle\.yaml:2:\d+$/),
  });
  expect(settings).toContainEqual({ path: "embeddings.backend", value: "none", from: "default" });
  expect(JSON.parse(files["capabilities.json"] ?? "")).toMatchObject({ history: true });
  expect(JSON.parse(files["doctor.json"] ?? "").map(({ id }: { id: string }) => id)).toContain("config");
  expect(JSON.parse(files["implicit-sources.json"] ?? "")).toHaveLength(1);
});

test("the bundle of a process that was killed in a tool shows that the call began, and that its effect is unknown", async () => {
  const killed = start(...run("The killed one"));
  await killed.shows("charging"); // the event log contains everything up to here
  killed.child.kill("SIGKILL");
  await killed.ended;
  const { files, check } = await bundleOf("killed.tar.gz");
  expect(check).toMatchObject({ code: 0, stderr: "" });
  expect(check.stdout).toMatch(
    /call: .* charge \{"id":"A-1"\}: allow by .+; started; whether it had its effect is not known/,
  );
  expect(check.stdout).toMatch(/ended: error: ProcessDiedError \(process_died\): /);
  expect(check.stdout).toMatch(/not known: Whether the call .+ of charge had its effect: /);
  expect(check.stdout).toMatch(/last event at \+\d+\.\d{3} s, 1 step, 1 call, /);
  expect(check.stdout).toContain("not known: Why the process died");
  expect(files["tools.md"]).toContain("It started; whether it had its effect is not known.");
});

test("the bundle of a run whose calls were all denied shows the rule, the reply and the budget", async () => {
  await bridle(...run("--steps", "3", "The denied one"));
  const { files, check } = await bundleOf("denied.tar.gz");
  expect(check).toMatchObject({ code: 0, stderr: "" });
  expect(check.stdout.match(/call: .* send \{"id":"A-1"\}: deny by .+; denied: /g)).toHaveLength(3);
  expect(check.stdout).toContain("ended: budget: the budget of steps or money is used up");
  expect(check.stdout).toContain("3 steps at most");
  expect(files["tools.md"]).toMatch(/Decision: deny by .+\n\nResult for the model:/);
});

test("the bundle without a run, or with an invalid configuration, contains the reason and the report of doctor", async () => {
  const other = await createPlace();
  const at = (...words: string[]) => startCommand(words, other);
  const empty = at("bundle");
  expect([await empty.ended, empty.stdout()]).toEqual([0, `${join(".bridle", "bundles", "bridle-project.tar.gz")}\n`]);
  await writeFile(join(other.project, "bridle.yaml"), "llm: { provider: { backend: nowhere } }");
  const broken = at("bundle", "--out", "broken.tar.gz");
  expect([await broken.ended, broken.stderr()]).toEqual([0, ""]);
  const check = at("bundle", "--check", "broken.tar.gz");
  expect(await check.ended).toBe(0);
  expect(check.stdout()).toContain("The project, without a run");
  const unknown = { "events and transcript": "the event log cannot be found", logs: "they cannot be found" };
  for (const [what, why] of Object.entries(unknown)) {
    expect(check.stdout()).toContain(`left out: ${what}, because ${why}: bridle.yaml:1:`);
  }
  const emptyCheck = at("bundle", "--check", empty.stdout().trim());
  expect(await emptyCheck.ended).toBe(0);
  expect(emptyCheck.stdout()).toContain("left out: events and transcript, because the event log has no run");
  expect(check.stdout()).toMatch(/left out: status, because the configuration cannot be read: bridle\.yaml:1:\d+: /);
  const files = unpackFiles(gunzipSync(await readFile(join(other.project, "broken.tar.gz"))));
  expect(files.map(({ path }) => path)).toEqual(["manifest.json", "versions.json", "doctor.json"]);
  await other.remove();
});

test("a bundle without a name lies in the state of the project, which git ignores, wherever the command was started", async () => {
  const other = await createPlace();
  const inner = join(other.project, "deep/er");
  await mkdir(inner, { recursive: true });
  await writeFile(join(other.project, "bridle.yaml"), "llm: { models: { default: haiku } }\n");
  const made = startCommand(["bundle"], { ...other, project: inner });
  expect([await made.ended, made.stderr()]).toEqual([0, ""]);
  expect(made.stdout()).toBe(`${join("..", "..", ".bridle", "bundles", "bridle-project.tar.gz")}\n`);
  expect(await readFile(join(other.project, ".bridle/.gitignore"), "utf8")).toBe("*\n");
  expect((await readdir(other.project)).sort()).toEqual([".bridle", "bridle.yaml", "deep"]);
  expect(await readdir(inner)).toEqual([]);
  const check = startCommand(["bundle", "--check", made.stdout().trim()], { ...other, project: inner });
  expect(await check.ended).toBe(0);
  await other.remove();
});

test("a bundle without a name is refused if the state of the project is a link or cannot be written", async () => {
  const other = await createPlace();
  const outside = join(other.home, "outside");
  await mkdir(outside, { recursive: true });
  await mkdir(join(other.project, ".bridle"));
  await symlink(outside, join(other.project, ".bridle/bundles"));
  const linked = startCommand(["bundle"], other);
  expect([await linked.ended, linked.stderr()]).toEqual([3, expect.stringContaining("is a link")]);
  expect(await readdir(outside)).toEqual([]);
  await rm(join(other.project, ".bridle/bundles"));
  await writeFile(join(other.project, ".bridle/bundles"), "");
  const blocked = startCommand(["bundle"], other);
  expect([await blocked.ended, blocked.stderr()]).toEqual([3, expect.stringContaining("after --out.")]);
  await other.remove();
});

const redactor = createRedactor({ secrets: ["tulip-meadow-9931"] });
const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1"}`;

async function goodFiles(): Promise<TarFile[]> {
  return unpackFiles(gunzipSync(await readFile(join(place.project, "denied.tar.gz"))));
}

const packed = (files: readonly TarFile[]) => gzipSync(packFiles(files, new Date(0)));
const blobOf = (files: readonly TarFile[]) => new Blob([packed(files)]);
const file = (path: string, text: string): TarFile => ({ path, content: Buffer.from(text) });

test.each(["summary.txt", "transcript.md", "events.jsonl", "bridle.yaml", "manifest.json", "doctor.json"])(
  "a credential in %s is reported with its line, without its value",
  async (path) => {
    const files = await goodFiles();
    const planted = files.map((each) =>
      each.path === path ? file(path, `${Buffer.from(each.content)}`.replace(/\n/, ` ${token}\n`)) : each,
    );
    if (path === "manifest.json") {
      const at = planted.findIndex((each) => each.path === path);
      const manifest = JSON.parse(Buffer.from(files[at]?.content ?? []).toString());
      planted[at] = file(path, JSON.stringify({ ...manifest, leftOut: [{ what: "x", why: token }] }));
    }
    const { problems } = await checkBundle(blobOf(planted), "x", redactor);
    expect(problems).toContain(`${path}:1 contains a credential`);
    expect(problems.join()).not.toContain(token);
  },
);

test("a credential in an unlisted file, or in the name of a file, is reported", async () => {
  const more = [file("notes.txt", "a\ntulip-meadow-9931"), file(`logs/${token}`, "x")];
  const { problems } = await checkBundle(blobOf([...(await goodFiles()), ...more]), "x", redactor);
  expect(problems).toEqual([
    "notes.txt is not in the manifest",
    "logs/[secret: 34 characters] is not in the manifest",
    "notes.txt:2 contains a credential",
    "the name logs/[secret: 34 characters] contains a credential",
  ]);
});

test("changed and missing files of a bundle are named", async () => {
  const files = (await goodFiles()).filter(({ path }) => path !== "tools.md");
  const changed = files.map((each) => (each.path === "events.jsonl" ? file(each.path, "{}\n") : each));
  expect((await checkBundle(blobOf(changed), "x", redactor)).problems).toEqual([
    "events.jsonl was changed",
    "tools.md is missing",
    "events.jsonl cannot be read",
  ]);
});

test("a bundle that is truncated, continues after its end, is too large or has paths outside it is refused", async () => {
  const good = packed(await goodFiles());
  const check = (bytes: Uint8Array, limit?: number) =>
    expect(checkBundle(new Blob([bytes]), "x", redactor, limit)).rejects;
  for (const part of [0.2, 0.5, 0.99]) {
    await check(good.subarray(0, good.length * part)).toThrow(/^x is not a bundle: /);
  }
  for (const behind of [token, `\0${token}`]) {
    await check(Buffer.concat([good, Buffer.from(behind)])).toThrow(/^x is not a bundle: /);
  }
  await check(gzipSync(Buffer.alloc(5_000_000)), 1_000_000).toThrow("it has more than 1000000 bytes unpacked");
  await check(packed([file("../x", "x")])).toThrow("leads out of the folder");
  await check(Buffer.from("no bundle")).toThrow(/^x is not a bundle: /);
});

const server = `
import { createInterface } from "node:readline";
const tool = { name: "search", description: "Searches.", inputSchema: { type: "object" } };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const started = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
  const result = method === "initialize" ? started : method === "tools/list" ? { tools: [tool] } : { content: [] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;

const desk = `name: desk
model: { provider: openai, name: gpt-desk, api_key: "\${OPENAI_API_KEY}" }
instructions: { inline: Be kind. }
tools:
  - { type: mcp, name: notes, command: node, args: [server.mjs], env: { NOTES_TOKEN: typed-tulip-4471 } }
`;

test("the bundle of an agent's run describes the agent's host, and has its file with its servers, without credentials", async () => {
  // The project's rules name tools that this agent does not have.
  await writeFile(join(place.project, "bridle.yaml"), "");
  onTestFinished(() => writeFile(join(place.project, "bridle.yaml"), config));
  await writeFile(join(place.project, "server.mjs"), server);
  await writeFile(join(place.project, "desk.yaml"), desk);
  const ran = await bridle("run", "--agent", "desk.yaml", "--trust", "--rehearse", "script.yaml", "The denied one");
  expect(ran).toMatchObject({ stderr: expect.not.stringContaining("desk.yaml:") });
  const { files, check } = await bundleOf("desk.tar.gz");
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining("gpt-desk on openai") });
  expect(JSON.parse(files["status.json"] ?? "")).toMatchObject({ backend: "openai" });
  const { settings } = JSON.parse(files["configuration.json"] ?? "");
  expect(settings).toContainEqual(expect.objectContaining({ path: "llm.provider.backend", value: "openai" }));
  expect(settings).toContainEqual(expect.objectContaining({ path: "llm.models.default", value: "gpt-desk" }));
  expect(files["agent.yaml"]).toContain("command: node, args: [server.mjs]");
  expect(JSON.parse(files["agent.json"] ?? "")).toMatchObject({
    name: "desk",
    tools: [{ type: "mcp", name: "notes", source: "server notes, stdio: node" }],
  });
  expect(JSON.stringify(files)).not.toContain("typed-tulip-4471");
});

test("the bundle of a run on a host that an option chose describes that host", async () => {
  await bridle("run", "--backend", "claude-code", "--model", "sonnet", "--trust", "--rehearse", "script.yaml", "Hello");
  const { files } = await bundleOf("chosen.tar.gz");
  expect(JSON.parse(files["status.json"] ?? "")).toMatchObject({ backend: "claude-code" });
});
