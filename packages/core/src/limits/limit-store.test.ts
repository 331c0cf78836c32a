import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLimitStore, readLimitState } from "./limit-store.ts";

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "made", "when-needed");
}

const state = { window: "five_hour", resetsAt: 1000 };
const onlyFile = (folder: string) => {
  const [name = "", ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name);
};

test("a stored limit is read for its account until the window opens, and for no other account", () => {
  const folder = folderForTest();
  createLimitStore(folder, "ada").write(state);
  expect(readLimitState(folder, "ada", { now: 999 })).toEqual(state);
  expect(readLimitState(folder, "ada", { now: 1000 })).toBeUndefined();
  expect(readLimitState(folder, "bob", { now: 0 })).toBeUndefined();
});

test("only its owner can read the file, and neither name nor content contains the account", () => {
  const folder = folderForTest();
  createLimitStore(folder, "ada@example.com").write(state);
  const path = onlyFile(folder);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(`${path} ${readFileSync(path, "utf8")}`).not.toContain("ada");
});

test("a cleared limit is gone, and clearing twice is no error", () => {
  const folder = folderForTest();
  const warn = vi.fn();
  const store = createLimitStore(folder, "ada", { ...silentLogger, warn });
  store.clear();
  store.write(state);
  store.clear();
  expect(readdirSync(folder)).toEqual([]);
  expect(store.read(0)).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();
});

test.each(["", "{", "[]", '{"window":5,"resetsAt":"soon"}', "\u0000"])(
  "a file that contains %j is ignored with a warning, and replaced",
  (content) => {
    const folder = folderForTest();
    const warn = vi.fn();
    const store = createLimitStore(folder, "ada", { ...silentLogger, warn });
    store.write(state);
    writeFileSync(onlyFile(folder), content);
    expect(store.read(0)).toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
    store.write(state);
    expect(store.read(0)).toEqual(state);
  },
);

test("a folder that cannot be created is a warning, and does not fail the run", () => {
  const folder = folderForTest();
  const warn = vi.fn();
  createLimitStore(folder, "ada").write(state);
  const store = createLimitStore(onlyFile(folder), "ada", { ...silentLogger, warn });
  store.write(state);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[1]).toContain("could not be written");
});

test("two processes that write at once leave neither a broken nor a temporary file", async () => {
  const folder = folderForTest();
  createLimitStore(folder, "ada").write(state);
  const program = `
    const { createLimitStore } = await import(${JSON.stringify(join(import.meta.dirname, "limit-store.ts"))});
    const store = createLimitStore(${JSON.stringify(folder)}, "ada");
    for (let round = 0; round < 300; round++) store.write({ window: "x".repeat(1 + round * 7), resetsAt: 5000 });`;
  const script = join(folder, "..", "writer.mjs");
  writeFileSync(script, program);
  const writers = [1, 2].map(() => fork(script, { execArgv: ["--conditions=@bridle/source"] }));
  const ends = Promise.all(writers.map((writer) => once(writer, "exit")));
  const warn = vi.fn();
  let running = true;
  const ended = ends.finally(() => (running = false));
  while (running) {
    expect(readLimitState(folder, "ada", { now: 0, logger: { ...silentLogger, warn } })).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect((await ended).map(([code]) => code)).toEqual([0, 0]);
  expect(warn).not.toHaveBeenCalled();
  onlyFile(folder);
});
