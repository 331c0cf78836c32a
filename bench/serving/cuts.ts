/** Cuts a stream at 200 random places while it is written, resumes it, and compares all messages with the event log. */
import { expectedMessages, readMessages, type SentMessage } from "../../packages/server/tests/support/read-stream.ts";
import { beginSession, writeText } from "../../packages/server/tests/support/written-session.ts";
import { printTable } from "../table.ts";
import { benchToken, openBenchProject, serveBench } from "./stage.ts";

const cuts = 200;

export async function measureCuts(): Promise<void> {
  const workspace = await openBenchProject("cuts");
  const server = await serveBench(workspace);
  const writer = await beginSession(workspace.eventLog, "s");
  await writer.durable();
  const seen: SentMessage[] = [];
  for (let cut = 0; cut < cuts; cut += 1) {
    writeText(writer, "s", 20);
    await readSome(server.url, seen, 20 + Math.floor(Math.random() * 6000));
  }
  await writer.close();
  const events = await workspace.eventLog.read({ sessionId: "s" });
  while (seen.length < events.length) await readSome(server.url, seen, 1_000_000);
  const wrong = expectedMessages(events).filter((message, at) => JSON.stringify(message) !== JSON.stringify(seen[at]));
  const differing = wrong.length + Math.max(0, seen.length - events.length);
  printTable(
    `Events that differ from the log after ${cuts} cuts, of ${events.length}`,
    [{ name: "events", values: [differing] }],
    { unit: "", target: "0" },
  );
  await server.close();
  await workspace.close();
}

/** Continues after the last message, reads this many bytes or to the end of the log, and then cuts the connection. */
async function readSome(url: string, seen: SentMessage[], bytes: number): Promise<void> {
  const cut = new AbortController();
  const last = seen.at(-1)?.id;
  const response = await fetch(`${url}/api/v1/sessions/s/events`, {
    headers: {
      authorization: `Bearer ${benchToken}`,
      accept: "text/event-stream",
      ...(last !== undefined && { "last-event-id": last }),
    },
    signal: cut.signal,
  });
  let left = bytes;
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0 || piece.length < 16_384) controller.terminate(); // a short piece is the last one
    },
  });
  for await (const message of readMessages(new Response(response.body?.pipeThrough(limited)))) seen.push(message);
  cut.abort();
}
