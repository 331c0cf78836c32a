import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nativeApi } from "../../src/serve/open-apis.ts";
import { RandomChoices, randomRequest } from "../support/random-requests.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { serveDesk } from "../support/serve-desk.ts";

/** `npm run soak` sends twenty times as many. */
const count = 500 * Number(process.env.SOAK_FACTOR ?? 1);
const seed = 7;
const { routes } = nativeApi({ version: "1.2.3", basePath: "" });

test(`none of ${count} random requests gives a 500, a stack or a hang`, async () => {
  const { url, token, logged, send } = await serveDesk();
  const { host } = new URL(url);
  const choices = new RandomChoices(seed);
  const statuses = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const bytes = randomRequest(routes, host, token, choices);
    const { status, body } = await sendRaw(Number(new URL(url).port), bytes);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const request = `request ${index} of the seed ${seed}: ${bytes.toString().slice(0, 600)}`;
    expect(status, `${request}\n${logged.join("\n")}`).not.toBe(500);
    expect(body, request).not.toMatch(/\n\s+at |node:internal|\/src\/[\w/-]+\.ts/);
  }
  expect(logged.filter((line) => line.startsWith("a request failed"))).toEqual([]);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 404, 422]));
  expect((await send("/api/v1/status")).status).toBe(200);
});

test("random requests without the token, or with another, reach nothing and change nothing", async () => {
  const { url, token, send } = await serveDesk();
  const port = Number(new URL(url).port);
  const state = async () => {
    const texts = await Promise.all(
      ["sessions", "approvals", "permissions", "agents", "tests/runs"].map(async (name) =>
        (await send(`/api/v1/${name}`)).text(),
      ),
    );
    return createHash("sha256").update(texts.join("\n")).digest("hex");
  };
  const before = await state();
  const choices = new RandomChoices(seed + 1);
  for (let index = 0; index < count; index += 1) {
    const wrong = choices.of(["", "x", token.slice(0, -1), token.toUpperCase(), `${token}=`]);
    const { status, head } = await sendRaw(port, randomRequest(routes, new URL(url).host, wrong, choices));
    const isPage = status === 200 && /content-type: text\/html/i.test(head); // anyone may open the page, because it contains no data
    if (!isPage) expect([400, 401, 403, 405, 421, 426, 429, 505]).toContain(status);
  }
  expect(await state()).toBe(before);
  const right = lines("GET /api/v1/status HTTP/1.1", `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`);
  expect((await sendRaw(port, right)).status).toBe(200);
});
