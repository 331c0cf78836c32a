import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EffectiveFile, FolderEffect } from "@bridle/protocol";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { StoredTrust } from "./folder-trust.ts";

let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "bridle-trust-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
});

const open = () => new StoredTrust({ environment: { XDG_STATE_HOME: join(top, "state") } });
const trustFile = () => join(top, "state/bridle/trust.json");
const effect = (field: string, count: number, content = field): FolderEffect => ({
  kind: "runs",
  subject: `the module ${field}`,
  field,
  content,
  loaded: { setting: field, files: manyFiles(count), canBeEdited: true },
});
const manyFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: join(top, `a-folder-with-a-long-name/and-another/module-${index}.mjs`),
    hash: `${index}`.padStart(64, "0"),
  }));
const fileIn = (name: string, effects: readonly FolderEffect[] = [effect("tools.0", 1)]): EffectiveFile => {
  mkdirSync(join(top, name), { recursive: true });
  return { path: join(top, name, "agent.yaml"), effects };
};
const isTrusted = async (file: EffectiveFile) => (await open().check([file]))[0]?.isTrusted;

test("a folder with many effects of much code is trusted, and so are others after it", async () => {
  const large = fileIn(
    "large",
    Array.from({ length: 6 }, (_, index) => effect(`tools.${index}`, 20_000)),
  );
  const other = fileIn("other");
  await open().accept([large]);
  await open().accept([other]);
  expect([await isTrusted(large), await isTrusted(other)]).toEqual([true, true]);
  expect(statSync(trustFile()).size).toBeLessThan(6_000_000);
});

test("trust that could not be read again is refused, and the trust in other folders stays", async () => {
  const other = fileIn("other");
  await open().accept([other]);
  const before = readFileSync(trustFile(), "utf8");
  const huge = fileIn("huge", [{ ...effect("tools.0", 1), subject: "x".repeat(70_000_000) }]);
  await expect(open().accept([huge])).rejects.toThrow(/too large to be remembered.*bridle trust --revoke/s);
  expect(readFileSync(trustFile(), "utf8")).toBe(before);
  expect(await isTrusted(other)).toBe(true);
});

test("trust that was stored with every list of files in its effect is still read", async () => {
  const file = fileIn("desk", [effect("tools.0", 2)]);
  await open().accept([file]);
  const { files, lists } = JSON.parse(readFileSync(trustFile(), "utf8"));
  for (const { effects } of Object.values<{ effects: { loaded: { files: unknown } }[] }>(files))
    for (const { loaded } of effects) loaded.files = lists[String(loaded.files)];
  writeFileSync(trustFile(), JSON.stringify({ version: 1, files }));
  expect(await isTrusted(file)).toBe(true);
  const changed = fileIn("desk", [{ ...effect("tools.0", 3), content: "other" }]);
  const [state] = await open().check([changed]);
  expect(state?.changes?.map(({ path }) => path)).toEqual([manyFiles(3)[2]?.path]);
});

test("trust that is revoked while other folders are trusted stays revoked", async () => {
  for (let round = 0; round < 20; round += 1) {
    const gone = fileIn(`gone-${round}`);
    await open().accept([gone]);
    const others = [0, 1, 2].map((index) => fileIn(`other-${round}-${index}`));
    await Promise.all([
      ...others.map((other) => open().accept([other])),
      open().revoke(gone.path),
      ...others.map((other) => open().accept([other])),
    ]);
    expect(await isTrusted(gone)).toBe(false);
    for (const other of others) expect(await isTrusted(other)).toBe(true);
  }
});

test("trust that is revoked while a run follows its author's edits stays revoked", async () => {
  const folder = join(top, "desk");
  mkdirSync(folder);
  let content = "first";
  const file = (): EffectiveFile => {
    const readAgain = (): FolderEffect => ({ ...effect("tools.0", 1, content), readAgain });
    return { path: join(folder, "agent.yaml"), effects: [readAgain()] };
  };
  for (let round = 0; round < 20; round += 1) {
    await open().accept([file()], folder);
    content = `edit ${round}`;
    const trust = open();
    await Promise.all([trust.require([file()]).catch(() => {}), open().revoke(folder)]);
    await trust.close();
    expect(await open().list()).toEqual([]);
  }
});
