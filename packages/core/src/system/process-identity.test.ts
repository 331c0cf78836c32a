import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { isRunning, readStartTime } from "./process-identity.ts";

test("a process keeps its start time, and another that starts later has another", async () => {
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const started = readStartTime(pid);
  expect(started).toBeDefined();
  expect(readStartTime(pid)).toBe(started);
  expect(readStartTime(process.pid)).not.toBe(started);
});

test("a process that is gone has no start time", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(readStartTime(child.pid ?? 0)).toBeUndefined();
});

test("a zombie process has no start time", async () => {
  const parent = spawn("/bin/sh", ["-c", "true & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = await once(parent.stdout, "data");
  await expect.poll(() => readStartTime(Number(String(line)))).toBeUndefined();
});

test("a process is the same if pid and start time match; without a start time the pid decides", () => {
  expect(isRunning(process.pid, readStartTime(process.pid) ?? null)).toBe(true);
  expect(isRunning(process.pid, "before")).toBe(false);
  expect(isRunning(process.pid, null)).toBe(true);
  expect(isRunning(2_147_483_646, null)).toBe(false);
});
