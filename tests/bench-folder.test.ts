import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../scripts/packages.ts";

const module = pathToFileURL(join(root, "bench/bench-folder.ts")).href;
/** Starts a process that works in the folder for a long time, like a benchmark. */
const program = `
import { createBenchFolder } from ${JSON.stringify(module)};
import { writeFileSync } from "node:fs";
const folder = createBenchFolder();
writeFileSync(folder + "/figures", "1 2 3");
console.log(folder);
setInterval(() => {}, 1000);
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("benchmarks that are ended by %s leave no folder", async (signal, expected) => {
  const temporary = mkdtempSync(join(tmpdir(), "bridle-bench-test-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env: { PATH: process.env.PATH, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  const folder = String(said).trim();
  expect(existsSync(join(folder, "figures"))).toBe(true);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([expected, null]);
  expect(existsSync(folder)).toBe(false);
});
