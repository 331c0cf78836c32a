/** Starts a Codex that has more than the requested configuration. */
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { BoundaryError, type RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { plantCodexTraps, trapWord } from "../src/proof/traps.ts";
import { type ProgramChange, writeCodexProgram } from "./support/codex-program.ts";
import { modelRequests } from "./support/codex-wire.ts";
import { startCodex } from "./support/test-backend.ts";

const tampering = vi.hoisted(() => ({ program: undefined as string | undefined, opensCatalog: false }));

vi.mock("../src/boundary/codex-binary.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../src/boundary/codex-binary.ts")>();
  const requirePinnedCodex: typeof original.requirePinnedCodex = (installed) => {
    const found = original.requirePinnedCodex(installed);
    return { ...found, binary: tampering.program ?? found.binary };
  };
  return { ...original, requirePinnedCodex };
});

vi.mock("../src/boundary/model-catalog.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../src/boundary/model-catalog.ts")>();
  const closeCatalog: typeof original.closeCatalog = (catalog, opened) =>
    tampering.opensCatalog ? catalog : original.closeCatalog(catalog, opened);
  return { ...original, closeCatalog };
});

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-start-"));
});
afterEach(async () => {
  tampering.program = undefined;
  tampering.opensCatalog = false;
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const hello: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };

/** Runs with a changed Codex. */
async function runWith(change: ProgramChange, builtins: readonly string[] = []) {
  tampering.program = await writeCodexProgram(root, change);
  const { backend, rehearsal, close } = await startCodex(hello);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const request = { prompt: "Hello?", system: "OURS", tools: [], stepBudget: 1 };
  const run = runtime.runAgentLoop({ ...request, builtins, projectDir: root });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const { error, text } = await run.result;
  await runtime.close();
  await close();
  const bodies = modelRequests(rehearsal.requests).map(({ body }) => JSON.stringify(body));
  return { error, text, differences: error instanceof BoundaryError ? error.differences : [], bodies, events };
}

test.each<[string, string, string]>([
  ["a feature that adds tools", "features.goals=false", "the feature goals is on"],
  ["a setting that adds a text", "include_environment_context=false", "include_environment_context is true"],
  ["a search by the service", 'web_search="disabled"', 'web_search is "live"'],
])("%s that is on ends the run with a BoundaryError before anything is sent", async (_what, setting, difference) => {
  const [key = ""] = setting.split("=");
  const value = key === "web_search" ? '"live"' : "true";
  const { differences, bodies } = await runWith({ arguments: { [setting]: `${key}=${value}` } });
  expect(differences).toEqual([difference]);
  expect(bodies).toEqual([]);
});

test("a home with settings, skills, hooks and servers ends the run with a BoundaryError, and no server starts", async () => {
  const home = join(root, "home");
  const traps = await plantCodexTraps({ home, root });
  const { error, differences, bodies } = await runWith({ variables: { HOME: home, CODEX_HOME: join(home, ".codex") } });
  expect(error?.message).toContain('run "bridle doctor --boundary"');
  expect(differences).toEqual(
    expect.arrayContaining([
      "skill trap is known",
      "MCP server trap is configured",
      "settings of the layer user are in effect",
    ]),
  );
  expect(bodies).toEqual([]);
  expect(await traps.marks()).toEqual([]);
});

test("tools that a model brings along end the run with a BoundaryError before its answer counts", async () => {
  tampering.opensCatalog = true;
  const { differences, text } = await runWith({});
  expect(differences).toEqual([expect.stringMatching(/^the tool \w+ was given to the model$/)]);
  expect(text).toBe("");
});

describe.runIf(canMount())("the administrator's settings of the machine", () => {
  async function etcWith(files: Readonly<Record<string, string>>): Promise<string> {
    const etc = join(root, "etc");
    await mkdir(join(etc, "codex"), { recursive: true });
    for (const name of ["passwd", "group", "hosts", "nsswitch.conf"])
      await cp(join("/etc", name), join(etc, name)).catch(() => {}); // not every machine has every file
    for (const [name, text] of Object.entries(files)) await writeFile(join(etc, "codex", name), text);
    return etc;
  }

  test("that add texts or commands have no effect, because ours take precedence", async () => {
    const config = [
      ...["instructions", "developer_instructions"].map((key) => `${key} = "${trapWord}"`),
      `notify = ["/bin/sh", "-c", "touch ${join(root, "notified")}"]`,
      "include_environment_context = true\n[features]\ngoals = true\nview_image = true",
    ].join("\n");
    const { error, text, bodies } = await runWith({ etc: await etcWith({ "config.toml": config }) });
    expect(error).toBeUndefined();
    expect(text).toBe("Hello.");
    expect(bodies.join()).not.toContain(trapWord);
    expect(await rm(join(root, "notified")).catch(({ code }) => code)).toBe("ENOENT");
  });

  test("that add a server end the run with a BoundaryError, and the server does not start", async () => {
    const mark = join(root, "started");
    const config = `[mcp_servers.office]\ncommand = "/bin/sh"\nargs = ["-c", "touch ${mark}"]\n`;
    const { differences } = await runWith({ etc: await etcWith({ "config.toml": config }) });
    expect(differences).toEqual(["MCP server office is configured"]);
    expect(await rm(mark).catch(({ code }) => code)).toBe("ENOENT");
  });

  test("that let patches be applied without a question end a run that opens apply_patch with a BoundaryError", async () => {
    const requirements = 'allowed_approval_policies = ["on-request"]\n';
    const etc = await etcWith({ "requirements.toml": requirements });
    const { differences, error, bodies } = await runWith({ etc }, ["apply_patch"]);
    expect(differences, error?.message).toEqual(['the approval policy is "on-request"']);
    expect(bodies).toEqual([]);
  });

  test("that require a feature end the run with a BoundaryError that names it", async () => {
    const requirements = "[features]\nview_image = true\n";
    const { differences, bodies } = await runWith({ etc: await etcWith({ "requirements.toml": requirements }) });
    expect(differences).toEqual(["the feature view_image is on"]);
    expect(bodies).toEqual([]);
  });
});

/** Whether this machine allows a process to have a separate `/etc`. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["--map-root-user", "--mount", "mount", "--bind", tmpdir(), "/etc"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
