/** Tests the command of another installation, started by its link as in npm's `bin` folder. */
import { spawnSync } from "node:child_process";
import { mkdir, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

let place: Place;
let link: string;
beforeEach(async () => {
  place = await createPlace();
  link = join(await realpath(place.home), "elsewhere/node_modules/.bin/bridle");
  await mkdir(dirname(link), { recursive: true });
  await symlink(bin, link);
});
afterEach(() => place.remove());

function run(...words: readonly string[]) {
  const env = { ...place.environment, PATH: "/usr/bin:/bin" };
  return spawnSync(process.execPath, [link, ...words], { cwd: place.project, env, encoding: "utf8" });
}

test("hints name the link, which starts the command again, and not the file of the package", () => {
  const { stdout, status } = run("init", "desk", "--yes", "--provider", "anthropic");
  expect(status, stdout).toBe(0);
  expect(stdout).toContain(`${link} chat --rehearse rehearsal.yaml`);
  expect(stdout).not.toContain("bridle.js");
  expect(run("status").stdout).toContain(`${link} doctor`);
  expect(run("--help").stdout).not.toContain("bridle.js");
});

test("the entry of an MCP client starts Node, which needs no PATH", () => {
  const { stdout } = run("mcp", "install", "--client", "codex", "--dry-run");
  expect(stdout).toContain(`command = ${JSON.stringify(process.execPath)}`);
  expect(stdout).toContain("bridle.js");
});
