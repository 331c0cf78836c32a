import { describe, expect, test } from "vitest";
import { readMessages, type SentMessage } from "../../../server/tests/support/read-stream.ts";
import { openChatStage } from "../support/chat-fixture.ts";
import { hasTmux } from "../support/terminal.ts";

/** Yields the messages of a stream, one after the other. */
async function until(messages: AsyncGenerator<SentMessage>, wanted: (data: string) => boolean): Promise<string> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error("The stream ended.");
    if (wanted(value.data)) return value.data;
  }
}

describe.skipIf(!hasTmux)("a chat in a real terminal beside a server (needs tmux)", () => {
  test("appears in every client of the server, and an answer of one closes its question in all and in the chat", async () => {
    const { chat, serve } = await openChatStage();
    const { url, token } = await serve();
    const headers = { authorization: `Bearer ${token}` };
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () =>
        readMessages(await fetch(`${url}/api/v1/stream?topics=approvals,runs`, { headers })),
      ),
    );
    const { type, shows } = await chat();
    type("refund");
    const asked = await Promise.all(clients.map((client) => until(client, (data) => data.includes('"refund"'))));
    const [{ id, inputHash, session }] = JSON.parse(asked[0] ?? "").approvals;
    const read = async (path: string) => (await fetch(`${url}/api/v1${path}`, { headers })).json();
    expect(await read(`/sessions/${session}`)).toMatchObject({ runs: [{ model: "first-model", stopReason: null }] });
    const answer = () =>
      fetch(`${url}/api/v1/approvals/${id}/answer`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ inputHash, decision: "allow", message: "From the browser." }),
      });
    expect((await answer()).status).toBe(200);
    const closed = clients.map((client) => until(client, (data) => data.includes('"approvals":[]')));
    await Promise.all([...closed, shows("Refunded it.")]);
    expect((await answer()).status).toBe(409);
    expect(await read("/approvals?state=decided")).toMatchObject({ decided: [{ id, by: "owner (127.0.0.1)" }] });
    for (const client of clients) await client.return(undefined);
  });
});
