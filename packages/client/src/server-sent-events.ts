/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The id of this event, or of the last event before it with an id. */
  readonly id: string;
}

/** Yields the events of a stream. Leaves out comments, which only keep the connection alive. Passes each read to `during`. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  during: <T>(read: Promise<T>) => Promise<T> = (read) => read,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  const parser = new StreamParser();
  try {
    for (;;) {
      const { done, value } = await during(reader.read());
      if (done) return;
      yield* parser.add(value);
    }
  } finally {
    void reader.cancel().catch(() => {}); // a lost connection may never answer
  }
}

/** Collects lines until the blank line that ends an event. */
class StreamParser {
  #rest = "";
  #event = "message";
  #data: string[] = [];
  #id = "";

  *add(text: string): Generator<ServerSentEvent> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const event = this.#addLine(line.replace(/\r$/, ""));
      if (event) yield event;
    }
  }

  #addLine(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#finish();
    const end = line.indexOf(":"); // not a regular expression: "." stops at U+2028, which JSON does not escape
    const name = end < 0 ? line : line.slice(0, end);
    const value = end < 0 ? "" : line.slice(end + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id") this.#id = value;
    return undefined;
  }

  #finish(): ServerSentEvent | undefined {
    const found = { event: this.#event, data: this.#data.join("\n"), id: this.#id };
    const hasData = this.#data.length > 0;
    this.#event = "message";
    this.#data = [];
    return hasData ? found : undefined;
  }
}
