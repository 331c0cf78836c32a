import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { ProcessFamily } from "./process-family.ts";
import { readStartTime } from "./process-identity.ts";

const isAlive = (pid: number) => readStartTime(pid) !== undefined;

/** Runs a shell command in the family, and resolves with the pid that the command prints. */
async function start(family: ProcessFamily, command: string): Promise<number> {
  const env = { PATH: process.env.PATH, ...family.variables };
  const child = spawn("/bin/sh", ["-c", command], { detached: true, stdio: ["ignore", "pipe", "inherit"], env });
  const [line] = await once(child.stdout, "data");
  const pid = Number(String(line));
  onTestFinished(() => {
    for (const each of [pid, child.pid ?? 0]) if (isAlive(each)) process.kill(each, "SIGKILL");
  });
  return pid;
}

const ways: readonly (readonly [how: string, command: string])[] = [
  ["in the group of the program", "sleep 60 & echo $!; wait"],
  ["in a session of its own", "setsid sh -c 'echo $$; exec sleep 60' & wait"],
  ["in a session of its own, after its parent has ended", "setsid -f sh -c 'echo $$; exec sleep 60'; exit 0"],
  [
    "without signals that ask it to end",
    "setsid -f sh -c 'trap \"\" TERM HUP INT; echo $$; while :; do sleep 1; done'",
  ],
  ["with a changed environment", "export OTHER=1; setsid -f sh -c 'echo $$; exec sleep 60'"],
];

test.runIf(process.platform === "linux").each(ways)("a process %s is ended with its family", async (_how, command) => {
  const family = new ProcessFamily();
  const pid = await start(family, command);
  expect(isAlive(pid)).toBe(true);
  family.kill();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test.runIf(process.platform === "linux")("processes of another family, and this one, stay", async () => {
  const family = new ProcessFamily();
  const other = await start(new ProcessFamily(), "echo $$; exec sleep 60");
  family.kill();
  expect([isAlive(other), isAlive(process.pid)]).toEqual([true, true]);
});

test("a system that does not show the environment of processes marks and ends nothing", () => {
  const family = new ProcessFamily("darwin");
  expect(family.variables).toEqual({});
  expect(() => family.kill()).not.toThrow();
});
