import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { locatePermissionFiles } from "@bridle/app/permissions";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-permissions-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const bridle = (...words: string[]) =>
  runCli(["permissions", ...words], { cwd, environment: { HOME: join(cwd, "home") } });

async function remember(more = ""): Promise<void> {
  const [file] = locatePermissionFiles({}, { cwd, environment: { HOME: join(cwd, "home") } });
  const path = file?.path ?? "";
  await mkdir(dirname(path), { recursive: true });
  const source = more && `  ${more}\n`;
  const entry = `- tool: run_sql\n${source}  when: { statement: "^select" }\n  decision: allow\n`;
  await writeFile(path, `${entry}  by: ada\n  at: 2026-01-31T12:00:00.000Z\n`);
}

test("remembered answers are listed, and one is removed by its id", async () => {
  expect(await bridle("list")).toMatchObject({
    code: 0,
    stderr: "No answers are remembered.\n",
  });
  await remember();
  const { stdout } = await bridle("list");
  expect(stdout).toMatch(
    /^([0-9a-f]{8}) {2}allow run_sql, in this project\n {10}if statement matches \^select\n {10}by ada, 2026-01-31 12:00 UTC\n$/,
  );
  const listed = JSON.parse((await bridle("list", "--json")).stdout);
  expect(listed).toMatchObject([
    { tool: "run_sql", when: { statement: "^select" }, decision: "allow", scope: "project" },
  ]);
  const { id } = listed[0];
  const wrong = await bridle("remove", `${id.slice(0, 7)}z`);
  expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining(`Did you mean "${id}"?`) });
  expect(await bridle("remove", id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Removed:"),
  });
  expect(JSON.parse((await bridle("list", "--json")).stdout)).toEqual([]);
  expect(await bridle("remove")).toMatchObject({ code: 2 });
});

test("remembered answers in the project are not listed; the command says why, and what to do", async () => {
  await mkdir(join(cwd, ".bridle"));
  const file = join(cwd, ".bridle/permissions.yaml");
  await writeFile(file, "- { tool: send, decision: allow, by: mallory, at: 2026-01-31T12:00:00.000Z }\n");
  const { stdout, stderr } = await bridle("list");
  expect(stdout).toBe("");
  expect(stderr).toContain(`The remembered answers in ${file} are not used`);
  expect(stderr).toContain("Remove the file");
});

test("a tool's source is listed with its answer", async () => {
  await remember("source: mcp orders, stdio (3f2a9c1b0d4e)");
  expect((await bridle("list")).stdout).toContain("from mcp orders, stdio (3f2a9c1b0d4e)");
});
