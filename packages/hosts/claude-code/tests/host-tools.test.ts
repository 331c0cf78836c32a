import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
