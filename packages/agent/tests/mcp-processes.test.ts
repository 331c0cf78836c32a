import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "@bridle/core";
import { expect, test } from "vitest";
import { eventually, oddServer, openServer, sentTo, temporaryFolder } from "./mcp-test-context.ts";

const isAlive = (pid: number) => readStartTime(pid) !== undefined;

test("a server's process ends when the server is closed", async () => {
  const { call, close } = await openServer(oddServer());
  const pid = Number(await call("pid"));
  await close();
  expect(isAlive(pid)).toBe(false);
});

test("a server that ignores the end of its input and the termination signal is killed, with all its processes", async () => {
  const { args } = oddServer(["--stays"]);
  const script = `sleep 60 & "$@"`;
  const { call, close } = await openServer({
    command: "/bin/sh",
    args: ["-c", script, "sh", process.execPath, ...args],
  });
  const pid = Number(await call("pid"));
  await close();
  await eventually(() => isAlive(pid)).toBe(false);
});

test("a call after the server was closed is refused, and starts nothing", async () => {
  const { call, close } = await openServer(oddServer());
  await close();
  await expect(call("pid")).rejects.toThrow("The MCP server odd was closed with the agent.");
});

test("a server that is closed while it starts leaves no process", async () => {
  const log = join(await temporaryFolder(), "log");
  const stop = new AbortController();
  const opening = openServer(oddServer(["--log", log, "--never-shakes-hands", "--stays"]), { signal: stop.signal });
  await eventually(() => sentTo(log, "initialize")).toHaveLength(1);
  stop.abort(new Error("given up"));
  await expect(opening).rejects.toThrow("given up");
  const [started] = await sentTo(log, "started");
  expect(isAlive(Number(started?.params))).toBe(false);
});

test.runIf(process.platform === "linux").for(["is closed", "dies", "is killed with its owner"])(
  "a process that a server starts in a session of its own ends with the server that %s",
  async (how) => {
    const file = join(await temporaryFolder(), "pid");
    const server = oddServer(["--leaves-group", file]);
    const startedPid = async () => Number(await readFile(file, "utf8"));
    if (how === "is killed with its owner") {
      const { child } = await startOwner(server.args);
      expect(isAlive(await startedPid())).toBe(true);
      child.kill("SIGKILL");
    } else {
      const { call, close } = await openServer(server);
      const pid = Number(await call("pid"));
      expect(isAlive(await startedPid())).toBe(true);
      if (how === "dies") process.kill(pid, "SIGKILL");
      else await close();
    }
    const started = await startedPid();
    await eventually(() => isAlive(started)).toBe(false);
  },
);

/** Starts a process that opens a server. `pid` is the pid of the server. */
async function startOwner(args: readonly string[]) {
  const owner = join(import.meta.dirname, "mcp-owner.ts");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--conditions=@bridle/source", owner, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH, NODE_COMPILE_CACHE },
  });
  const [said] = await once(child.stdout, "data");
  return { child, pid: Number(String(said)) };
}

test.for([[[]], [["--stays"]]])(
  "a server with %j ends within five seconds after its owner is killed",
  async ([args = []]) => {
    const { child, pid } = await startOwner(oddServer(args).args);
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
  },
);
