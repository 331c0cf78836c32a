import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const bin = join(import.meta.dirname, "../bin/bridle.js");

test("--version tells the version of the package and loads nothing else", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
  const spy =
    'import { registerHooks } from "node:module"; registerHooks({ load(url, c, next) { process.stderr.write(url + "\\n"); return next(url, c); } });';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${spy}`, bin, "--version"],
    {
      encoding: "utf8",
    },
  );
  expect(stdout).toBe(`${version}\n`);
  expect(
    stderr
      .trim()
      .split("\n")
      .filter((url) => !url.startsWith("node:")),
  ).toEqual([expect.stringMatching(/bin\/bridle\.js$/)]);
});

test("an old Node is refused in one sentence", () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
  const { status, stderr } = spawnSync(process.execPath, ["--import", `data:text/javascript,${older}`, bin, "status"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr: "Bridle needs Node.js 22.18 or newer, and this is 20.20.2. Install a newer one from https://nodejs.org.\n",
  });
});
