import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBundledCatalog } from "./model-catalog.ts";

test("the catalog is read in a home of its own, which is removed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-catalog-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [program, homes] = [join(folder, "codex"), join(folder, "homes")];
  await writeFile(program, `#!/bin/sh\necho "$HOME $CODEX_HOME" > ${homes}\necho '{"models":[{"slug":"m"}]}'\n`);
  await chmod(program, 0o755);
  expect(await readBundledCatalog(program)).toEqual({ models: [{ slug: "m" }] });
  const [home, codexHome] = (await readFile(homes, "utf8")).trim().split(" ");
  expect([codexHome, home === homedir(), existsSync(home ?? "")]).toEqual([home, false, false]);
});
