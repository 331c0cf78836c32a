import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "@bridle/core";
import { expect, test } from "vitest";
import { loop, startScript } from "./support/runs.ts";
import { sentRequests } from "./support/test-context.ts";

test("a shell command cannot continue after its call: the background option is missing, and refused", async () => {
  const command = "sleep 1; echo ran > ran.txt";
  const { runtime, rehearsal, home } = await startScript([
    { call: "Bash", with: { command, run_in_background: true } },
    { call: "Bash", with: { command } },
    { say: "Done" },
  ]);
  const { events } = await loop(runtime, { builtins: ["Bash"] });
  expect(JSON.stringify(sentRequests(rehearsal.requests)[0]?.tools)).not.toContain("run_in_background");
  const ended = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
  expect(ended).toMatchObject([
    { type: "tool.denied", output: expect.stringContaining("run_in_background") },
    { type: "tool.finished", ok: true },
  ]);
  expect(await readFile(join(home.project, "ran.txt"), "utf8")).toBe("ran\n");
});

test("a shell command gets the variables of its run", async () => {
  const { runtime } = await startScript([{ call: "Bash", with: { command: "echo at $PGHOST" } }, { say: "Done" }]);
  for (const PGHOST of ["one.example", "two.example"]) {
    const { events } = await loop(runtime, { builtins: ["Bash"], environment: { PGHOST } });
    const [finished] = events.filter(({ type }) => type === "tool.finished");
    expect(finished).toMatchObject({ ok: true, output: `at ${PGHOST}` });
  }
});

test("a variable that would change who pays ends the run before Claude Code starts", async () => {
  const { runtime, backend, rehearsal } = await startScript([{ say: "Done" }]);
  const { result } = await loop(runtime, { environment: { ANTHROPIC_API_KEY: "of-another" } });
  expect(result.error).toMatchObject({ code: "config", field: "environment" });
  expect(result.error?.message).toContain("The variable ANTHROPIC_API_KEY must not be passed to Claude Code's tools");
  expect([rehearsal.requests.length, backend.pool()?.started]).toEqual([0, 0]);
});

test.runIf(process.platform === "linux")(
  "a process that a shell command starts in a session of its own ends with the runtime",
  async () => {
    const command = "setsid -f sh -c 'echo $$ > pid; exec sleep 60'; while [ ! -s pid ]; do sleep 0.1; done";
    const { runtime, home } = await startScript([{ call: "Bash", with: { command } }, { say: "Done" }]);
    const { result } = await loop(runtime, { builtins: ["Bash"] });
    expect(result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
    const pid = Number(await readFile(join(home.project, "pid"), "utf8"));
    expect(pid).toBeGreaterThan(0);
    await runtime.close();
    await expect.poll(() => readStartTime(pid)).toBeUndefined();
  },
);
