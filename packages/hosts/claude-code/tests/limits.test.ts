import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { readUsedUpWindow } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../stores/sqlite/src/index.ts";
import { childrenOf, hostsAmong, stillThere } from "./support/processes.ts";
import { type HostTestContext, sentRequests, startTestContext } from "./support/test-context.ts";

/** Starts a program that waits for used-up windows, in a separate process. It exits when its run has ended. */
function startWaiter({ home, tlsProxy }: HostTestContext, logFolder: string) {
  const environment = { ...home.environment, ...tlsProxy.environment };
  const waiter = spawn(
    process.execPath,
    [
      "--conditions=@bridle/source",
      join(import.meta.dirname, "support/owner.ts"),
      JSON.stringify({ task: "run", environment, projectDir: home.project, logFolder }),
    ],
    { env: { PATH: process.env.PATH, HOME: home.home }, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void waiter.kill("SIGKILL"));
  let said = "";
  waiter.stdout.on("data", (data: Buffer) => (said += data));
  return { waiter, exited: once(waiter, "close"), said: () => said };
}

async function storedWindow(folder: string, { backend }: HostTestContext): Promise<string | undefined> {
  const { limits, close } = openStore({ folder, readOnly: true });
  const stored = await readUsedUpWindow(limits, backend.account, 0);
  await close();
  return stored?.window;
}

test("a wait for a used-up window continues in the next process after a kill, without a request meanwhile", {
  timeout: 90_000,
}, async () => {
  const steps = [{ limit: { resets_in_seconds: 12 } }, { say: "Done" }];
  const context = await startTestContext({ rehearsal: 1, turns: [{ steps }] });
  onTestFinished(context.close);
  const folder = join(context.home.home, "log");
  const sent = () => sentRequests(context.rehearsal.requests).length;

  const killed = startWaiter(context, folder);
  await expect.poll(killed.said, { timeout: 60_000 }).toContain("limit.waiting");
  const children = childrenOf(killed.waiter.pid ?? 0);
  expect(hostsAmong(children)).toEqual([]);
  killed.waiter.kill("SIGKILL");
  await killed.exited;
  await expect.poll(() => stillThere(children), { timeout: 5000 }).toEqual([]);
  expect(sent()).toBe(1);
  expect(await storedWindow(folder, context)).toBe("five_hour");

  const next = startWaiter(context, folder);
  await expect.poll(next.said, { timeout: 60_000 }).toContain("limit.waiting");
  expect(sent()).toBe(1);
  expect(await next.exited).toEqual([0, null]);
  expect(next.said()).toBe("limit.waiting\nlimit.cleared\nnatural\nclosed\n");
  expect(sent()).toBe(2);
  expect(await storedWindow(folder, context)).toBeUndefined();
});
