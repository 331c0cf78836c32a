import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadScript } from "./load.ts";

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "script.yaml");
}

test("a script is read from its file, and has its name", async () => {
  const path = await temporaryFile();
  await writeFile(path, "rehearsal: 1\nturns: [{ steps: [{ say: Hello }] }]");
  expect(await loadScript(path)).toMatchObject({ file: path, turns: [{ number: 1 }] });
});

test("the error for a missing file names it with a remedy", async () => {
  const path = await temporaryFile();
  await expect(loadScript(path)).rejects.toThrow(
    `The rehearsal script ${path} cannot be read (ENOENT). Create it, or correct the path.`,
  );
});
