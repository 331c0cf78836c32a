import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { startServedProcess } from "../support/served-process.ts";

test("a server shows the end of a run whose server was killed, when the run or its events are read", async () => {
  const cwd = await createFolder(deskFiles);
  const [killed, other] = [await startServedProcess(cwd), await startServedProcess(cwd)];
  const send = async ({ url, token }: typeof killed, path: string, json?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = json === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(json) };
    return JSON.parse(await (await fetch(`${url}/api/v1${path}`, init)).text());
  };
  const first = await send(killed, "/sessions/one/runs", { prompt: "slow" });
  const second = await send(killed, "/sessions/two/runs", { prompt: "slow" });
  await expect
    .poll(async () => (await send(other, `/runs/${second.runId}`)).id, { timeout: 10_000 })
    .toBe(second.runId);
  await killed.kill();
  await expect
    .poll(async () => (await send(other, `/runs/${first.runId}`)).error, { timeout: 20_000, interval: 500 })
    .toMatch(/process/);
  const { events } = await send(other, "/sessions/two/events?limit=1000");
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { error: { code: "process_died" } } });
});
