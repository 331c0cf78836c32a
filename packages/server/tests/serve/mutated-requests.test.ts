import { setTimeout } from "node:timers/promises";
import type { ProjectProcesses } from "@bridle/app/status";
import { expect, test } from "vitest";
import { goodRequests } from "../support/good-requests.ts";
import { mutate, type SentRequest } from "../support/mutated-requests.ts";
import { RandomChoices } from "../support/random-requests.ts";
import { sendRaw } from "../support/send-raw.ts";
import { serveWideDesk, type WideDesk } from "../support/wide-desk.ts";

/** `npm run soak` sends twenty times as many. */
const count = 500 * Number(process.env.SOAK_FACTOR ?? 1);
/** After this many requests, the resources that they refer to are recreated, because some requests remove them. */
const batch = 250;
const seed = 11;

interface TestRunPage {
  readonly runs: readonly { readonly id: string; readonly state: string }[];
}

/** Requests that wait for a run, which may in turn wait for a user. */
const waiting = /\/(responses|completions|cancel|mcp|runs|chat|agents\/\{agent\})$/;

test(`none of ${count} requests that nearly succeed gives a 500, a stack or a hang`, async () => {
  const server = await serveWideDesk();
  const choices = new RandomChoices(seed);
  const reached = new Set<string>();
  for (let sent = 0; sent < count; sent += batch) {
    const ids = await server.fill(`from-${sent}-`);
    const requests = goodRequests(ids);
    for (let index = 0; index < batch; index += 1) {
      const good = choices.of(requests.filter(({ method }) => method !== "DELETE" || index > batch / 2));
      const request = mutate(good, ids, new URL(server.url).host, server.token, choices);
      const status = await statusOf(request, server);
      if (status >= 200 && status < 300) reached.add(request.key);
    }
    await stopRuns(server);
  }
  expect(server.logged.filter((line) => line.startsWith("a request failed"))).toEqual([]);
  expect(reached.size).toBeGreaterThan(40); // there are 55 routes
  expect((await server.send("/api/v1/status")).status).toBe(200);
});

/** Returns the status of the reply; 0 if the request waits for a run. */
async function statusOf({ key, bytes }: SentRequest, { url, logged }: WideDesk): Promise<number> {
  const late = new AbortController();
  const tooLate = setTimeout(
    key.includes("/doctor") ? 60_000 : 3000, // the checks start processes
    undefined,
    { signal: late.signal },
  ).catch(() => undefined);
  const answered = await Promise.race([sendRaw(Number(new URL(url).port), bytes), tooLate]);
  late.abort();
  const request = `${key}, seed ${seed}: ${bytes.toString().slice(0, 1000)}`;
  if (answered === undefined) {
    expect(key, request).toMatch(waiting);
    return 0;
  }
  expect(answered.status, `${request}\n${answered.body}\n${logged.join("\n")}`).not.toBe(500);
  expect(answered.body, request).not.toMatch(/\n\s+at |node:internal|\/src\/[\w/-]+\.ts/);
  return answered.status;
}

/** Stops runs and tests that wait for a user, because they would take all slots. */
async function stopRuns({ send }: WideDesk): Promise<void> {
  const read = async (path: string) => JSON.parse(await (await send(`/api/v1${path}`)).text());
  const open = async (): Promise<readonly string[]> => {
    const [{ runs }, tests]: [ProjectProcesses, TestRunPage] = await Promise.all([
      read("/processes"),
      read("/tests/runs?limit=100"),
    ]);
    return [
      ...runs.filter(({ isHere }) => isHere).map(({ run }) => `/runs/${run}`),
      ...tests.runs.filter(({ state }) => state === "running").map(({ id }) => `/tests/runs/${id}`),
    ];
  };
  for (const path of await open()) await send(`/api/v1${path}/stop`, { method: "POST", json: {} });
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
}
