import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { appendEvents } from "@bridle/conformance";
import { StoreFullError } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRuntime, openProjectEventLog } from "../operations.ts";

function temporaryProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const rehearse = join(import.meta.dirname, "../../tests/greeting.rehearsal.yaml");
const environment = { PATH: process.env.PATH, SHOP_TOKEN: "tulip-9931-meadow" };

test("a runtime with the project's event log stores its runs there, without credentials", async () => {
  const projectDir = temporaryProject();
  const runtime = await createRuntime({ projectDir, environment, rehearse, eventLog: "project" });
  const { runId, text } = await runtime.generateText({ prompt: `Hello, ${environment.SHOP_TOKEN}` });
  await runtime.close();
  const record = await openProjectEventLog({ projectDir, environment });
  const events = await record.read({ runId });
  record.close();
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural", text } });
  expect(JSON.stringify(events)).toContain("Hello, [secret SHOP_TOKEN]");
});

test("without the project's event log no file is created, not even by reading the event log", async () => {
  const projectDir = temporaryProject();
  const runtime = await createRuntime({ projectDir, environment, rehearse });
  await runtime.generateText({ prompt: "Hello" });
  await runtime.close();
  const record = await openProjectEventLog({ projectDir, environment });
  expect(await record.runs()).toEqual([]);
  record.close();
  expect(existsSync(join(projectDir, ".bridle"))).toBe(false);
});

test("an event log on a full disk can be read", async () => {
  const projectDir = temporaryProject();
  const folder = join(projectDir, ".bridle");
  const left = openStore({ folder });
  await appendEvents(left, { runId: "a" }, { type: "notice", level: "info", code: "c", message: "m" });
  left.close(); // the run has no end, so opening the log would write one
  const exec = DatabaseSync.prototype.exec;
  vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, sql) {
    if (sql.startsWith("BEGIN")) throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
    return exec.call(this, sql);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => openStore({ folder })).toThrow(StoreFullError);
  const record = await openProjectEventLog({ projectDir, environment });
  expect(await record.read({ runId: "a" })).toMatchObject([{ type: "notice" }]);
  record.close();
});
