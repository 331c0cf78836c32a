// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/main/commands.ts";
import { attacks } from "./attacks.ts";
import { agent, clone, rehearsal, requests, run, touching, useClones } from "./clone-fixture.ts";

useClones();

type Words = Readonly<Record<string, readonly string[]>>;

/** Commands that use a project's settings or an agent, each in all its forms. */
const acting: Words = {
  run: ["run Hi", "run --agent agent.yaml Hi", "run --agent agent.yaml --rehearse script.yaml Hi"],
  chat: ["chat", "chat --rehearse script.yaml"],
  test: ["test", "test --rehearse script.yaml"],
  record: ["record --agent agent.yaml --out cassette.yaml Hi"],
  models: ["models"],
  "documents index": ["documents index"],
  "documents search": ["documents search text"],
  "context init": ["context init"],
  "context scan": ["context scan"],
  "context search": ["context search orders"],
  "context ingest": ["context ingest", "context ingest docs --rehearse script.yaml"],
  "context remember": ["context remember Text"],
  "context eval": ["context eval --rehearse script.yaml"],
  "context joins propose": ["context joins propose --yes --rehearse script.yaml"],
  "metrics propose": ["metrics propose --yes", "metrics propose --yes --describe --rehearse script.yaml"],
  "metrics validate": ["metrics validate"],
  query: ["query orders.count"],
  sql: ["sql shop SELECT"],
  ask: ["ask --rehearse script.yaml Hi"],
  acp: ["acp", "acp agent.yaml --rehearse script.yaml"],
  mcp: ["mcp agent.yaml"],
  serve: ["serve --port 0 --agent agent.yaml"],
  web: ["web --no-open --port 0 --agent agent.yaml"],
};
/** Commands that describe the effects of a folder. */
const describing: Words = {
  status: ["status"],
  doctor: ["doctor", "doctor --live", "doctor --boundary"],
  "agent validate": ["agent validate"],
  "agent show": ["agent show", "agent show --json"],
  trust: ["trust --show"],
};
/** Commands that read stored state or print Bridle's own information. They require no trust, because they run no file of the folder. */
const reading: Words = {
  "test history": ["test history"],
  "test show": ["test show"],
  "test compare": ["test compare 1 2"],
  "sessions list": ["sessions list"],
  "sessions show": ["sessions show one"],
  "sessions fork": ["sessions fork one"],
  "sessions rm": ["sessions rm one"],
  events: ["events"],
  replay: ["replay"],
  bundle: ["bundle"],
  "approvals list": ["approvals list"],
  "approvals answer": ["approvals answer approval_0c6f1d9b2a7e4f8035d1c9aa allow"],
  "permissions list": ["permissions list"],
  "permissions remove": ["permissions remove Bash"],
  "documents status": ["documents status"],
  "agent schema": ["agent schema"],
  "agent import": ["agent import holodeck agent.yaml"],
  "config schema": ["config schema"],
  "context status": ["context status"],
  "context show": ["context show orders"],
  "context joins": ["context joins"],
  "context drift": ["context drift"],
  "context changes": ["context changes"],
  "context review": ["context review", "context review choose 0c6f1d9b2a"],
  "context why": ["context why orders"],
  "context wiki list": ["context wiki list"],
  "context wiki read": ["context wiki read orders"],
  "context wiki search": ["context wiki search orders"],
  "context wiki lint": ["context wiki lint"],
  "memory list": ["memory list"],
  "memory show": ["memory show 4f1c09ab"],
  "memory forget": ["memory forget 4f1c09ab"],
  "metrics list": ["metrics list"],
  "metrics show": ["metrics show orders"],
  "metrics import": ["metrics import ."],
  "metrics export": ["metrics export --to osi"],
  "mcp install": ["mcp install --client cursor --scope project --dry-run"],
};
/** Commands that are tested below, because they need a session. */
const resuming: Words = { "sessions resume": ["sessions resume one --agent agent.yaml Hi"] };
/** Commands that use no file in the folder, except a script named on the command line. */
const ownFiles = ["init", "rehearse", "demo", "context demo"];
const all = (words: Words) => Object.values(words).flat();

test("every command is on one list: it acts and needs trust, or runs nothing of the folder", () => {
  const listed = [acting, describing, reading, resuming].flatMap((words) => Object.keys(words));
  expect([...listed, ...ownFiles].sort()).toEqual(commands.map(({ name }) => name).sort());
});

describe.each(attacks)("a clone with %s", (_what, files, shown) => {
  const isOfAgent = files["agent.yaml"] !== undefined && files["bridle.yaml"] === undefined;
  const complete = { ...rehearsal, "agent.yaml": agent(), ...files };
  /** Commands that do not use an agent file, and are therefore not affected by it. */
  const usesAgent = (words: string) => !/^(?:run Hi|models|status|doctor|context|metrics|query|sql|ask)/.test(words);

  test("neither runs, sends nor reads anything before it is trusted, and is refused with a list", async () => {
    const place = clone(complete);
    requests.length = 0;
    for (const words of all(acting).filter((each) => !isOfAgent || usesAgent(each))) {
      const { code, stdout, stderr } = await run(words, place);
      expect({ words, code, stdout }).toEqual({ words, code: 3, stdout: "" });
      expect(stderr).toContain("is not trusted");
      expect(stderr).toContain(shown);
      expect(stderr).toContain("bridle trust");
      expect(stderr).not.toContain("top-secret");
    }
    expect({ requests, ran: place.ran() }).toEqual({ requests: [], ran: false });
  });

  test("is described without running anything, and what it would do is shown", async () => {
    const place = clone(complete);
    requests.length = 0;
    for (const words of all(describing).filter((each) => !isOfAgent || usesAgent(each))) {
      const { code, stdout, stderr } = await run(words, place);
      const isListed = usesAgent(words)
        ? isOfAgent || words === "trust --show" || words.startsWith("agent show")
        : !isOfAgent;
      if (isListed) expect(stdout.replaceAll('\\"', '"')).toContain(shown);
      expect({ words, code }).toEqual({ words, code: words.startsWith("doctor") || words === "trust --show" ? 3 : 0 });
      expect(stdout + stderr).not.toContain("top-secret");
    }
    expect({ requests, ran: place.ran() }).toEqual({ requests: [], ran: false });
  });

  test("passes once it is trusted, and is asked about again when it changes", async () => {
    const place = clone(complete);
    expect(await run("trust", place)).toMatchObject({ code: 0, stdout: expect.stringContaining(shown) });
    expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    writeFileSync(
      join(place.cwd, "bridle.yaml"),
      "policy: { mode: auto }\nllm: { models: { default: '${SHOP_TOKEN}' } }\n",
    );
    const { code, stdout } = await run("trust --show", place);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: expect.stringContaining("mode auto: most tools run without a question"),
    });
  });
});

const files = (what: string) => attacks.find(([name]) => name === what)?.[1] ?? {};

test.each(all(reading))("%s of an untrusted folder runs and sends nothing", async (words) => {
  const place = clone({ ...rehearsal, ...files("a key to its own address"), ...files("an MCP command") });
  requests.length = 0;
  const { stdout, stderr } = await run(words, place);
  expect({ requests, ran: place.ran() }).toEqual({ requests: [], ran: false });
  expect(stdout + stderr).not.toContain("top-secret");
});

test("a session is not resumed once the agent file, which was trusted, starts a program", async () => {
  const place = clone({ ...rehearsal, "agent.yaml": agent() });
  const words = "run --agent agent.yaml --rehearse script.yaml --session one Hi";
  expect(await run(words, place)).toMatchObject({ code: 0, stdout: "Hello.\n" });
  const attack = files("an MCP command")["agent.yaml"] ?? "";
  for (const text of [agent(), attack]) {
    writeFileSync(join(place.cwd, "agent.yaml"), text);
    const { code, stderr } = await run(all(resuming).join(), place);
    if (text === attack) expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("sh -c") });
    else expect(stderr).not.toContain("is not trusted"); // verifies that the file is found and used
  }
});

describe("the controls of the traps", () => {
  test.each([
    [
      "agent show",
      { "agent.yaml": agent("tools: [{ type: function, name: f, file: t.mjs, function: f }]"), "t.mjs": touching },
    ],
    [
      "agent show",
      { "agent.yaml": agent(`tools: [{ type: mcp, name: m, command: sh, args: ["-c", "touch MARKER"] }]`) },
    ],
    ["documents index", files("a package in its node_modules")],
  ])("%s of a trusted folder runs its code", async (words, files) => {
    const place = clone(files);
    await run(words, place);
    expect(place.ran()).toBe(false);
    await run("trust", place);
    await run(words, place);
    expect(place.ran()).toBe(true);
  });

  test.each(["models --trust", "models"])("%s of a trusted folder sends the request", async (words) => {
    const place = clone(attacks[0]?.[1] ?? {});
    requests.length = 0;
    await run(words, place, { ci: words === "models" });
    expect(requests.join()).toContain("top-secret-value");
    expect(existsSync(join(place.home, ".local"))).toBe(false); // nothing was remembered
  });

  test("a folder that only chooses a model, asks and denies needs no trust", async () => {
    const place = clone({
      "bridle.yaml":
        "llm: { provider: { backend: claude-code }, models: { default: sonnet }, limits: { maxConcurrency: 2 } }\npolicy: { mode: ask, rules: [{ tool: x, then: deny }, { tool: y, then: ask }] }",
      "agent.yaml": agent(`tools: [{ type: documents, name: d, source: docs }]\npolicy: { mode: read-only }`),
      "docs/a.md": "text",
      ...rehearsal,
    });
    expect(await run("trust --show", place)).toMatchObject({
      code: 0,
      stdout: "The files run, send and read nothing that needs trust.\n",
    });
    expect(await run("documents index", place)).toMatchObject({ code: 0 });
  });
});

describe("the question at a terminal", () => {
  const files = { "bridle.yaml": "policy: { mode: yolo }", ...rehearsal };
  const words = "run --rehearse script.yaml Hi";

  test("is asked once if the answer is yes, and again with the difference if the folder changes", async () => {
    const place = clone(files);
    const first = await run(words, place, { typed: ["y"] });
    expect(first).toMatchObject({ code: 0, stdout: "Hello.\n" });
    expect(first.stderr).toContain("Trust these files?");
    expect((await run(words, place, { typed: [] })).stderr).not.toContain("Trust these files?");
    writeFileSync(join(place.cwd, "bridle.yaml"), "policy: { mode: auto }");
    const changed = await run(words, place, { typed: ["n"] });
    expect(changed.code).toBe(3);
    expect(changed.stderr).toContain("+ no questions  mode auto: most tools run without a question (policy.mode)");
    expect(changed.stderr).toContain("- no questions  mode yolo: every tool runs without a question");
  });

  test.each([["n"], [""], ["yes please"], ["Y\u0000"], []])(
    "refuses the folder if the answer is %j",
    async (...typed) => {
      const place = clone(files);
      expect(await run(words, place, { typed })).toMatchObject({ code: 3, stdout: "" });
      expect(await run("trust --list", place)).toMatchObject({ stdout: "No folder is trusted.\n" });
    },
  );
});

describe("what trust is for", () => {
  const module = "tools: [{ type: function, name: f, file: t.mjs, function: f }]";

  test.each([
    ["the module", "t.mjs"],
    ["a module that it imports", "lib/helper.mjs"],
    ["a module that this one imports", "lib/deep.mjs"],
  ])("a change of %s asks again", async (_what, changed) => {
    const place = clone({
      "agent.yaml": agent(module),
      "t.mjs": 'import "./lib/helper.mjs"; export const f = 1;',
      "lib/helper.mjs": "export * from './deep.mjs';",
      "lib/deep.mjs": "export const g = 1;",
      "other.mjs": "",
    });
    await run("trust", place);
    writeFileSync(join(place.cwd, "other.mjs"), "// not imported");
    expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    writeFileSync(join(place.cwd, changed), "export const other = 1;");
    expect(await run("trust --show", place)).toMatchObject({ code: 3 });
  });

  test.each(["agent.yaml moved to another folder", "revoked"])("trust ends: %s", async (how) => {
    const place = clone({ "agent.yaml": agent(module), "t.mjs": "", "sub/agent.yaml": agent(module), "sub/t.mjs": "" });
    await run("trust agent.yaml", place);
    expect(await run("trust --show agent.yaml", place)).toMatchObject({ code: 0 });
    if (how === "revoked") await run("trust --revoke", place);
    const other = how === "revoked" ? "agent.yaml" : "sub/agent.yaml";
    expect(await run(`trust --show ${other}`, place)).toMatchObject({ code: 3 });
  });

  test("a command that hides characters is shown with escapes", async () => {
    const hidden = agent(`tools: [{ type: mcp, name: m, command: "cat", args: ["a\\u009b\\u202e\\r\\nb"] }]`);
    const { stdout } = await run("trust --show", clone({ "agent.yaml": hidden }));
    expect(stdout).toContain(String.raw`\u{9b}\u{202e}\r\nb`);
  });
});
