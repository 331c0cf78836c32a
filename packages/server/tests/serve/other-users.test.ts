import { expect, test } from "vitest";
import { newUserToken } from "../../src/http/tokens/access-token.ts";
import { type GoodRequest, goodRequests, keyOf, targetOf } from "../support/good-requests.ts";
import { mutate } from "../support/mutated-requests.ts";
import { RandomChoices } from "../support/random-requests.ts";
import { sendRaw } from "../support/send-raw.ts";
import { readState } from "../support/served-state.ts";
import { serveWideDesk } from "../support/wide-desk.ts";

/**
 * Serves a desk with one of everything for its owner, and two other users: an operator with a namespace, and a viewer without one.
 */
async function serveOthers() {
  const [bob, vera] = [newUserToken(), newUserToken()];
  const server = await serveWideDesk(`  users:
    bob: { tokenHash: "${bob.tokenHash}", role: operator, namespace: bob }
    vera: { tokenHash: "${vera.tokenHash}", role: viewer }
`);
  const ids = await server.fill();
  await server.send(`/api/v1/tests/runs/${ids.newTestRun}/stop`, { method: "POST", json: {} });
  await (await server.send(`/api/v1/tests/runs/${ids.newTestRun}/events`)).text(); // until the test run has ended
  const send = async (request: GoodRequest, token: string) => {
    const json = request.body === undefined ? {} : { json: request.body };
    const init = { method: request.method, headers: request.headers, token, ...json };
    const response = await server.send(targetOf(request), init);
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel();
      return { status: response.status, text: "" };
    }
    return { status: response.status, text: await response.text() };
  };
  return { ...server, ids, requests: goodRequests(ids), request: send, bob: bob.token, vera: vera.token };
}

/** Routes of resources that every user of a server has, and of the user's own session with the same name. */
const shared = /agents\/|\/models\/|\{tool\}|\/sessions\/\{session\}\/runs$/;

test("a user of another namespace reaches nothing by ids, and changes nothing, in any protocol", async () => {
  const server = await serveOthers();
  const before = await readState(server);
  const reached: string[] = [];
  const ownNames = Object.values(server.ids);
  for (const each of server.requests) {
    const { status, text } = await server.request(each, server.bob);
    const namesOther = Object.values(each.names).some((name) => ownNames.includes(name));
    if (namesOther && status < 300 && !shared.test(each.path)) reached.push(`${keyOf(each)} ${status}`);
    const seen = ownNames.filter((name) => text.includes(name) && !JSON.stringify(each).includes(name));
    if (seen.length > 0) reached.push(`${keyOf(each)} shows ${seen.join(", ")}`);
  }
  expect(reached).toEqual([]);
  expect(await readState(server)).toEqual(before);
});

test("a viewer reads, and changes nothing, in any protocol and with any request", async () => {
  const server = await serveOthers();
  const { request, requests, vera, ids, url } = server;
  const before = await readState(server);
  for (const each of requests) {
    const { status } = await request(each, vera);
    if (each.method !== "GET") expect([keyOf(each), status]).toEqual([keyOf(each), 403]);
    else if (each.path !== "/mcp") expect([keyOf(each), status < 300]).toEqual([keyOf(each), true]);
  }
  const choices = new RandomChoices(5);
  const { host, port } = new URL(url);
  for (let index = 0; index < 300; index += 1) {
    const { key, bytes } = mutate(choices.of(requests), ids, host, vera, choices);
    expect([key, (await sendRaw(Number(port), bytes)).status]).not.toEqual([key, 500]);
  }
  expect(await readState(server)).toEqual(before);
});

test("without a token, a request that would succeed changes nothing, and says nothing about what there is", async () => {
  const server = await serveOthers();
  const before = await readState(server);
  const answers = new Set<string>();
  for (const each of server.requests) {
    const { status, text } = await server.request(each, "nobody");
    expect([401, 429]).toContain(status);
    if (status === 401) answers.add(JSON.stringify({ ...JSON.parse(text), instance: "" }));
  }
  expect(answers.size).toBeLessThanOrEqual(3); // one for each error format
  expect(await readState(server)).toEqual(before);
});
