import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readStartTime } from "./process-identity.ts";
import { createWatchdog, watchdogScript } from "./watchdog.ts";

/** Starts a process in its own group, like the host's processes. */
async function startSleeper(command = "exec sleep 60"): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn("/bin/sh", ["-c", command], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  onTestFinished(() => void (readStartTime(pid) && process.kill(-pid, "SIGKILL")));
  return { pid, child };
}

/** Creates a shell that writes its pid before it runs the watchdog. The newest pid belongs to the running watchdog. */
async function notingShell() {
  const folder = await mkdtemp(join(tmpdir(), "bridle-watchdog-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [shell, notes] = [join(folder, "sh"), join(folder, "pids")];
  await writeFile(shell, `#!/bin/sh\necho $$ >> ${notes}\nexec /bin/sh "$@"\n`, { mode: 0o755 });
  const pids = async () => (await readFile(notes, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number);
  return { shell, pids };
}

const isAlive = (pid: number) => readStartTime(pid) !== undefined;

/** Runs a watchdog in its own owner process, which is killed as soon as these lines have run. */
async function killOwnerOf(...register: string[]): Promise<void> {
  const module = join(import.meta.dirname, "watchdog.ts");
  const code = `
    import { createWatchdog } from ${JSON.stringify(module)};
    const dog = createWatchdog();
    ${register.join("\n")}
    console.log("ready");
    setInterval(() => {}, 1000);
  `;
  const owner = spawn(process.execPath, ["--conditions=@bridle/source", "--input-type=module-typescript", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(owner.stdout, "data");
  owner.kill("SIGKILL");
  await once(owner, "exit");
}

test("watched processes end when their owner is killed, even if they ignore SIGTERM; released ones stay", async () => {
  const watched = await startSleeper();
  const stubborn = await startSleeper("trap '' TERM; while :; do sleep 1; done");
  const released = await startSleeper();
  await killOwnerOf(
    ...[watched, stubborn, released].map(({ pid }) => `dog.watch(${pid});`),
    `dog.release(${released.pid});`,
  );
  await expect.poll(() => [watched, stubborn].filter(({ pid }) => isAlive(pid)), { timeout: 5000 }).toEqual([]);
  const signals = () => [watched, stubborn].map(({ child }) => child.signalCode);
  await expect.poll(signals, { timeout: 10_000 }).toEqual(["SIGTERM", "SIGKILL"]);
  expect(isAlive(released.pid)).toBe(true);
});

test("a process that only shares the pid of a watched one is not ended", async () => {
  const { pid } = await startSleeper();
  const other = await startSleeper();
  const guard = spawn("/bin/sh", ["-c", watchdogScript], { stdio: ["pipe", "ignore", "ignore"] });
  guard.stdin.write(`watch ${pid} 1\nwatch ${other.pid} ${readStartTime(other.pid)}\n`);
  guard.stdin.end();
  await once(guard, "exit");
  expect(isAlive(pid)).toBe(true);
  await expect.poll(() => isAlive(other.pid)).toBe(false);
});

test("the watchdog runs only while there are processes to watch", async () => {
  const [one, two] = [await startSleeper(), await startSleeper()];
  const { shell, pids } = await notingShell();
  const dog = createWatchdog(shell);
  dog.watch(one.pid);
  dog.watch(two.pid);
  await expect.poll(pids).toHaveLength(1);
  const [guard = 0] = await pids();
  dog.release(one.pid);
  expect(isAlive(guard)).toBe(true);
  dog.release(two.pid);
  await expect.poll(() => isAlive(guard)).toBe(false);
  expect([one.pid, two.pid].filter(isAlive)).toHaveLength(2);
});

test("a new watchdog takes over if the first one is killed", async () => {
  const { pid } = await startSleeper();
  const { shell, pids } = await notingShell();
  const dog = createWatchdog(shell);
  dog.watch(pid);
  await expect.poll(pids).toHaveLength(1);
  for (const first of await pids()) process.kill(first, "SIGKILL");
  await expect.poll(pids).toHaveLength(2);
  const [, second = 0] = await pids();
  expect(isAlive(second)).toBe(true);
  dog.release(pid);
  await expect.poll(() => isAlive(second)).toBe(false);
});

test("a process that is gone is not watched, and a missing shell is no error", async () => {
  const { pid, child } = await startSleeper("true");
  if (child.exitCode === null) await once(child, "exit");
  const { shell, pids } = await notingShell();
  createWatchdog(shell).watch(pid);
  const alive = await startSleeper();
  const dog = createWatchdog("/no/such/shell");
  dog.watch(alive.pid);
  dog.release(alive.pid);
  expect(await pids()).toEqual([]);
});
