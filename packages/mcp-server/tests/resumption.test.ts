/** Tests broken client connections, protocol versions and sessions over HTTP. */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { beginSession, createToken, initialize, post, startTestServer } from "./server-for-tests.ts";
import { add, createWaitingTool } from "./tools-for-tests.ts";

const version = { "mcp-protocol-version": "2025-11-25" };

/** Makes a call, reads the id of the first event and breaks the connection. */
async function callAndBreak(url: string, token: string, session: string): Promise<string> {
  const broken = new AbortController();
  const answer = await fetch(url, {
    method: "POST",
    signal: broken.signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      "mcp-session-id": session,
      ...version,
    },
    body: '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{}}}',
  });
  const first = await answer.body?.getReader().read();
  broken.abort();
  const text = new TextDecoder().decode(first?.value);
  expect(text).toContain("retry: 1000");
  return /^id: (.+)$/m.exec(text)?.[1] ?? "";
}

function resume(url: string, token: string, session: string, lastEventId: string) {
  const headers = {
    accept: "text/event-stream",
    authorization: `Bearer ${token}`,
    "mcp-session-id": session,
    ...version,
  };
  return fetch(url, { headers: { ...headers, "last-event-id": lastEventId } });
}

test("a call goes on if its connection breaks, and its result is there when the client asks again", async () => {
  const { tool, started, release } = createWaitingTool();
  const { url, token } = await startTestServer({ tools: [tool] });
  const { session } = await beginSession(url, token);
  const event = await callAndBreak(url, token, session);
  const { signal } = await started;
  const waiting = await resume(url, token, session, event);
  expect(signal.aborted).toBe(false);
  release("the whole answer");
  expect(await waiting.text()).toContain("the whole answer");
  const again = await resume(url, token, session, event);
  expect(await again.text()).toContain("the whole answer");
});

test("a stream is resumed by the token of its session only, and with an event that is known", async () => {
  const { tool, started, release } = createWaitingTool();
  const [anna, ben] = [createToken("anna"), createToken("ben")];
  const { url } = await startTestServer({ tools: [tool], tokens: [anna, ben] });
  const { session } = await beginSession(url, anna.token);
  const event = await callAndBreak(url, anna.token, session);
  await started;
  release("for anna");
  expect((await resume(url, ben.token, session, event)).status).toBe(404);
  expect((await resume(url, ben.token, (await beginSession(url, ben.token)).session, event)).status).toBe(400);
  expect((await resume(url, anna.token, session, "nothing")).status).toBe(400);
  expect(await (await resume(url, anna.token, session, event)).text()).toContain("for anna");
});

test.each(SUPPORTED_PROTOCOL_VERSIONS)("a client of the revision %s is served in it", async (wanted) => {
  const { url, token } = await startTestServer({ tools: [add] });
  const answer = await post(url, token, initialize.replace("2025-11-25", wanted));
  expect(await answer.text()).toContain(`"protocolVersion":"${wanted}"`);
});

test("a client of an unknown revision is offered a known one, and a wrong header is refused", async () => {
  const { url, token } = await startTestServer({ tools: [add] });
  const answer = await post(url, token, initialize.replace("2025-11-25", "1999-01-01"));
  expect(await answer.text()).toMatch(/"protocolVersion":"20\d\d-/);
  const { session } = await beginSession(url, token);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "1999-01-01" };
  const refused = await post(url, token, '{"jsonrpc":"2.0","id":2,"method":"ping"}', headers);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("version") } });
});
