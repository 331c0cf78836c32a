import { once } from "node:events";
import { readStartTime, type Watchdog } from "@bridle/core";
import { expect, test } from "vitest";
import { HostChildProcess } from "./child-process.ts";

/** Starts a process that runs a shell command. Returns it with the calls of its watchdog. */
async function start(command: string) {
  const told: string[] = [];
  const watchdog: Watchdog = {
    watch: (pid) => void told.push(`watch ${pid}`),
    release: (pid) => void told.push(`release ${pid}`),
  };
  const host = new HostChildProcess(watchdog);
  const child = host.spawn({ command: "/bin/sh", args: ["-c", command], env: { PATH: process.env.PATH } });
  const pid = Number(told[0]?.split(" ")[1] ?? 0);
  return { host, child, pid, told };
}

/** Returns how long an end takes, in milliseconds. */
async function timeOf(work: Promise<void>): Promise<number> {
  const before = performance.now();
  await work;
  return performance.now() - before;
}

test("a process exits when its input ends, and the watchdog learns of its start and its end", async () => {
  const { host, child, pid, told } = await start("cat");
  await host.end(2000);
  expect(child.exitCode).toBe(0);
  expect(readStartTime(pid)).toBeUndefined();
  await expect.poll(() => told).toEqual([`watch ${pid}`, `release ${pid}`]);
});

test("a process that does not exit gets SIGTERM, then SIGKILL, together with its children", async () => {
  const { host, child, pid } = await start("trap '' TERM; sleep 60 & echo $!; wait; wait");
  const [line] = await once(child.stdout, "data");
  const grandchild = Number(String(line));
  expect(readStartTime(grandchild)).toBeDefined();
  expect(await timeOf(host.end(0))).toBeLessThan(1500);
  expect(readStartTime(pid)).toBeUndefined();
  await expect.poll(() => readStartTime(grandchild)).toBeUndefined();
});

test("the end of standard error is available after the process is gone", async () => {
  const { host } = await start("head -c 9000 /dev/zero | tr '\\0' x >&2; echo '[the end]' >&2; exit 3");
  await host.end(2000);
  expect(host.stderr).toMatch(/x\[the end\]\n$/);
  expect(host.stderr.length).toBe(4000);
});

test("the exit of a process is noticed although a child holds its pipes open", async () => {
  const { host, child } = await start("sleep 60 & echo $!");
  const [line] = await once(child.stdout, "data");
  expect(await timeOf(host.end(5000))).toBeLessThan(1000);
  process.kill(Number(String(line)), "SIGKILL");
});

test("ending a process that never started resolves", async () => {
  const silent: Watchdog = { watch() {}, release() {} };
  await new HostChildProcess(silent).end(0);
  const host = new HostChildProcess(silent);
  host.spawn({ command: "/no/such/program", args: [], env: {} });
  await host.end(1000);
});
