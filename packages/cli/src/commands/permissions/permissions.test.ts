import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command-line/cli-for-tests.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-permissions-"));
});
afterEach(() => rm(cwd, { recursive: true }));

async function remember(): Promise<void> {
  await mkdir(join(cwd, ".bridle"));
  const entry = '- tool: run_sql\n  when: { statement: "^select" }\n  decision: allow\n';
  await writeFile(join(cwd, ".bridle/permissions.yaml"), `${entry}  by: ada\n  at: 2026-01-31T12:00:00.000Z\n`);
}

test("remembered answers are listed, and one is removed by its id", async () => {
  expect(await runCli(["permissions", "list"], { cwd })).toMatchObject({
    code: 0,
    stderr: "No answers are remembered.\n",
  });
  await remember();
  const { stdout } = await runCli(["permissions", "list"], { cwd });
  expect(stdout).toMatch(
    /^([0-9a-f]{8}) {2}allow run_sql, in this project\n {10}if statement matches \^select\n {10}by ada, 2026-01-31 12:00 UTC\n$/,
  );
  const listed = JSON.parse((await runCli(["permissions", "list", "--json"], { cwd })).stdout);
  expect(listed).toMatchObject([
    { tool: "run_sql", when: { statement: "^select" }, decision: "allow", scope: "project" },
  ]);
  const { id } = listed[0];
  const wrong = await runCli(["permissions", "remove", `${id.slice(0, 7)}z`], { cwd });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining(`Did you mean "${id}"?`) });
  expect(await runCli(["permissions", "remove", id], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Removed:"),
  });
  expect(JSON.parse((await runCli(["permissions", "list", "--json"], { cwd })).stdout)).toEqual([]);
  expect(await runCli(["permissions", "remove"], { cwd })).toMatchObject({ code: 2 });
});
