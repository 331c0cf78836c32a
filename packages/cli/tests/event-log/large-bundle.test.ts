/** Tests bundles of sessions that do not fit in memory, and incomplete bundles. */
import { spawn, spawnSync } from "node:child_process";
import { openAsBlob } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRedactor } from "@bridle/core";
import { type EventDraft, noUsage } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { checkBundle } from "../../../app/src/bundles/check-bundle.ts";
import { createPlace, type Place } from "../support/command.ts";

/** Fewer events with longer texts, which need as much memory but much less time. */
const [turns, words] = isSoak ? [2000, 1] : [600, 200];
/** The memory limit for a process's objects. All events together need more. */
const megabytes = 96;
const pieces = 91;
const eventsOfTurn = 100;

function draftsOf(turn: number): EventDraft[] {
  const callId = `call_${turn}`;
  const base = { stopReason: "natural", steps: 1, toolCalls: 1, toolFailures: 0, usage: noUsage } as const;
  const output = `Result ${turn}: ${"All is well. ".repeat(20)}`;
  return [
    {
      type: "run.started",
      operation: "loop",
      backend: "memory",
      model: "m",
      tools: ["look"],
      builtins: [],
      stepBudget: 9,
      policy: "p",
    },
    {
      type: "model.input",
      turn: 1,
      sha256: "h",
      artifact: `h${turn}`,
      implicitSources: [],
      hostAdds: [],
      messages: [{ role: "user", content: [{ type: "text", text: `Question ${turn}?` }] }],
    },
    { type: "step.started", index: 1, model: "m" },
    { type: "tool.requested", callId, tool: "look", input: { turn }, inputHash: "h" },
    { type: "tool.started", callId },
    { type: "tool.finished", callId, ok: true, durationMs: 1, output },
    ...Array.from({ length: pieces }, (): EventDraft => ({ type: "text.delta", text: "word ".repeat(words) })),
    { type: "text.completed", text: `Answer ${turn}.` },
    { type: "step.finished", index: 1, budget: 9, usage: noUsage },
    { type: "run.finished", result: { ...base, text: `Answer ${turn}.` }, durationMs: 5 },
  ];
}

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  const store = openStore({ folder: join(place.project, ".bridle") });
  const writer = await store.openWriter({ sessionId: "long" });
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const draft of draftsOf(turn)) writer.append(`run_${turn}`, draft);
    if (turn % 50 === 0) await writer.durable();
  }
  await writer.close();
  await store.close();
});
afterAll(() => place.remove());
afterEach(async () => {
  for (const name of await list()) await rm(join(place.project, name));
});

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");
/** Runs the command from its sources, with little memory. */
const parametersOf = (...command: string[]) => [
  `--max-old-space-size=${megabytes}`,
  "--conditions=@bridle/source",
  bin,
  ...command,
];
const options = () => ({ cwd: place.project, env: place.environment, encoding: "utf8" }) as const;

/** Returns the path of the bundle, in the state folder. */
const ownFile = join(".bridle", "bundles", "bridle-long.tar.gz");

async function list(): Promise<string[]> {
  return (await readdir(place.project)).filter((name) => name !== ".bridle");
}

/** Whether a process has written a part of a bundle. */
async function isWriting(pid: number | undefined): Promise<boolean> {
  const names = (await list()).filter((name) => name.startsWith(`.${pid}-`));
  const sizes = names.map((name) =>
    stat(join(place.project, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).some((size) => size > 0);
}

test("a session of many more events than fit into memory is bundled and checked", async () => {
  const made = spawnSync(process.execPath, parametersOf("bundle", "long"), options());
  expect(made).toMatchObject({ status: 0, stdout: `${ownFile}\n`, stderr: "" });
  expect(await list()).toEqual([]);
  const checked = spawnSync(process.execPath, parametersOf("bundle", "--check", ownFile), options());
  expect(checked).toMatchObject({ status: 0, stderr: "" });
  expect(checked.stdout).toContain(`${turns - 5} runs before these.\nRun run_${turns - 4}, `);
  expect(checked.stdout).toMatch(new RegExp(`call: .+ look \\{"turn":${turns}\\}: not decided; succeeded after 1 ms`));

  const bundle = await openAsBlob(join(place.project, ownFile));
  const { events, manifest, problems } = await checkBundle(bundle, "long", createRedactor());
  expect([events, problems]).toEqual([turns * eventsOfTurn, []]);
  expect(manifest.runs.at(-1)).toEqual({ runId: `run_${turns}`, stopReason: "natural", error: null });
});

test("a bundle whose process is killed leaves no file under its name, and an existing file as it was", async () => {
  await writeFile(join(place.project, "old.tar.gz"), "old");
  const killWhileWriting = async (name: string) => {
    const given = parametersOf("bundle", "--force", "--out", name, "long");
    const child = spawn(process.execPath, given, { ...options(), stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
    while (child.exitCode === null && !(await isWriting(child.pid))) await sleep(2);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
  };
  await Promise.all(["new.tar.gz", "old.tar.gz"].map(killWhileWriting));
  const left = (await list()).filter((name) => !name.startsWith("."));
  expect(left).toEqual(["old.tar.gz"]);
  expect(await readFile(join(place.project, "old.tar.gz"), "utf8")).toBe("old");
});

test.skipIf(process.platform === "win32")(
  "a disk that becomes full while a bundle is written is reported, and leaves no file",
  async () => {
    const given = ["-c", 'ulimit -f 100 && exec "$@"', "-", process.execPath, ...parametersOf("bundle", "long")];
    const { status, stderr } = spawnSync("bash", given, options());
    const remedy = "Free some space, or name another file after --out.";
    expect(stderr).toBe(`${ownFile} cannot be written (EFBIG). ${remedy}\n`);
    expect([status, await list()]).toEqual([3, []]);
  },
);
