import { expect, test } from "vitest";
import { readServerSentEvents } from "./server-sent-events.ts";

test.each(["a line separator \u2028 and a paragraph separator \u2029", "a colon: and another :", "  two blanks"])(
  "the data %j arrives as it was sent, in pieces of any length",
  async (text) => {
    const bytes = new TextEncoder().encode(`: keep-alive\n\nid: 7\nevent: text.delta\ndata: ${text}\n\n`);
    for (const length of [1, 3, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.slice(at * length, (at + 1) * length),
      );
      const events = await collect(pieces);
      expect(events).toEqual([{ event: "text.delta", data: text, id: "7" }]);
    }
  },
);

async function collect(pieces: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const event of readServerSentEvents(ReadableStream.from(pieces))) events.push(event);
  return events;
}
