import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runDoctor } from "../src/conveniences.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-interrupted-"));
  for (const name of ["tmp", "home"]) await mkdir(join(root, name));
  vi.stubEnv("TMPDIR", join(root, "tmp"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, maxRetries: 5 });
});

async function boundaryOf(environment: Record<string, string>, signal?: AbortSignal) {
  const options = {
    environment: { PATH: process.env.PATH, HOME: join(root, "home"), TMPDIR: join(root, "tmp"), ...environment },
    boundary: true,
    ...(signal && { signal }),
  };
  const checks = await runDoctor(options, root);
  return checks.find(({ id }) => id === "boundary");
}

test("an interrupted proof stops soon and leaves nothing behind", async () => {
  const before = Date.now();
  const check = await boundaryOf({ CLAUDE_CONFIG_DIR: "" }, AbortSignal.timeout(1500));
  expect(check).toMatchObject({ ok: "skipped", detail: "stopped before it was proven" });
  expect(Date.now() - before).toBeLessThan(7000);
  const left = await readdir(root, { recursive: true });
  expect(left.filter((path) => /boundary|trap|projects/.test(path))).toEqual([]);
});

test("a file in place of Claude Code's folder fails the check with a remedy", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  const check = await boundaryOf({ CLAUDE_CONFIG_DIR: file });
  expect(check).toMatchObject({ ok: false, area: "configuration", remedy: expect.stringContaining("try again") });
  expect(check?.detail).toContain("name another in CLAUDE_CONFIG_DIR");
});
