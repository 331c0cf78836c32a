import type { RunEvent } from "@bridle/protocol";

/** A message in a stream of server-sent events. */
export interface SentMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Yields the messages of a response as they arrive. Comments, `retry` and incomplete messages are omitted. */
export async function* readMessages(response: Response): AsyncGenerator<SentMessage> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const fields = new Map(part.split("\n").map((line) => [line.split(":")[0], line.replace(/^[^:]*: ?/, "")]));
      const [event, data] = [fields.get("event"), fields.get("data")];
      if (event !== undefined && data !== undefined) yield { id: fields.get("id"), event, data };
    }
  }
}

/** Reads a stream until `isLast` accepts a message, and then closes it. */
export async function readUntil(response: Response, isLast: (message: SentMessage) => boolean): Promise<SentMessage[]> {
  const seen: SentMessage[] = [];
  for await (const message of readMessages(response)) {
    seen.push(message);
    if (isLast(message)) break;
  }
  return seen;
}

/** Returns the messages that a session's stream sends for these events. */
export function expectedMessages(events: readonly RunEvent[]): SentMessage[] {
  return events.map((event) => ({ id: String(event.seq), event: event.type, data: JSON.stringify(event) }));
}
