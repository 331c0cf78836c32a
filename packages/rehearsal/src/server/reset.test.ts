import { expect, onTestFinished, test } from "vitest";
import { defineScript } from "../script/define.ts";
import type { ScriptInput } from "../script/schema.ts";
import { type Rehearsal, startRehearsal } from "./rehearsal.ts";

type Steps = ScriptInput["turns"][number]["steps"];

async function rehearse(steps: Steps): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

const prompt = { role: "user", content: "hello" };
const answer = { role: "assistant", content: "Fine" };

function ask({ url }: Rehearsal, messages: object[] = [prompt], signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ model: "test-model", max_tokens: 100, stream: true, messages });
  return fetch(`${url}/v1/messages`, { method: "POST", body, signal: signal ?? null });
}

test("after a reset, the script, its failures and the request ids start again", async () => {
  const rehearsal = await rehearse([{ status: 529, times: 1 }, { say: "Fine" }]);
  async function play() {
    const attempts = [await ask(rehearsal), await ask(rehearsal)];
    const beyond = await ask(rehearsal, [prompt, answer]);
    const asked = [...attempts, beyond].map(({ status, headers }) => [status, headers.get("request-id")]);
    return { asked, failures: rehearsal.failures.map(({ message }) => message), requests: rehearsal.requests.length };
  }
  const first = await play();
  const asked = [529, 200, 400].map((status, index) => [status, `req_rehearsal_${index + 1}`]);
  expect(first).toEqual({ asked, failures: [expect.stringContaining("only 2 steps")], requests: 3 });
  const forgotten = rehearsal.requests[0];
  rehearsal.reset();
  expect([rehearsal.requests, rehearsal.failures]).toEqual([[], []]);
  expect(await play()).toEqual(first);
  expect(await rehearsal.nextRequest()).not.toBe(forgotten);
});

const read = (response: Response) => response.text().catch(() => "");

/** Steps, the client's handling of the answer, and whether the rehearsal is undisturbed afterwards. */
const endings: readonly [string, Steps, (response: Response) => unknown, boolean][] = [
  ["a whole stream leaves nothing", [{ say: "Hello" }], read, true],
  ["an error may be remembered", [{ status: 529 }], read, false],
  ["an error page may be remembered", [{ html: true }], read, false],
  ["a stream that is cut may be remembered", [{ say: "Hel", cut: true }], read, false],
  ["a stream that stalls is still open", [{ say: "Hel", stall: true }], () => {}, false],
  ["a stream that the client left may be remembered", [{ stall: true }], (response) => response.body?.cancel(), false],
  ["an error for a request that does not match may be remembered", [{ say: "{{ nothing.result.x }}" }], read, false],
];

test.each(endings)("%s", async (_which, steps, end, isUndisturbed) => {
  const rehearsal = await rehearse(steps);
  expect(rehearsal.isUndisturbed).toBe(true);
  await end(await ask(rehearsal));
  await expect.poll(() => rehearsal.isUndisturbed).toBe(isUndisturbed);
});

test("an open request disturbs until it is answered, and an aborted request until the reset", async () => {
  const rehearsal = await rehearse([{ say: "Hello", delay_ms: 200 }]);
  const asked = ask(rehearsal);
  await rehearsal.nextRequest();
  expect(rehearsal.isUndisturbed).toBe(false);
  await (await asked).text();
  await expect.poll(() => rehearsal.isUndisturbed).toBe(true);
  await expect(ask(rehearsal, [prompt], AbortSignal.timeout(50))).rejects.toThrow();
  await expect.poll(() => rehearsal.requests[1]?.closed).toBe(true);
  expect(rehearsal.isUndisturbed).toBe(false);
  rehearsal.reset();
  expect(rehearsal.isUndisturbed).toBe(true);
});
