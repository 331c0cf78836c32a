import type { TrustedFolder } from "@bridle/protocol";
import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { type ServerCommand, type ServerProcess, startServer } from "../../processes/child-server.ts";

/** How long a server may take to end after its input was closed. */
const graceMs = 1500;

const stderrCharsKept = 500;
const maxLineChars = 10_000;

/**
 * The protocol over the standard streams of a process. It replaces the SDK's transport for three reasons: the server gets only the given
 * variables, it ends with all of its child processes even if this process is killed, and pressing Ctrl-C does not reach the server.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #trusted: TrustedFolder;
  readonly #command: ServerCommand;
  readonly #onLine: (line: string) => void;
  readonly #buffer = new ReadBuffer();
  #starting: Promise<ServerProcess> | undefined;
  #server: ServerProcess | undefined;
  #stderr = "";
  #ended = "";

  /** `onLine` gets every line of the server's standard error. */
  constructor(trusted: TrustedFolder, command: ServerCommand, onLine: (line: string) => void) {
    this.#trusted = trusted;
    this.#command = command;
    this.#onLine = onLine;
  }

  /** How the server ended, with the last lines of its standard error; empty while it runs. */
  get lastWords(): string {
    return this.#ended && [this.#ended, this.#stderr.trim()].filter(Boolean).join(": ");
  }

  async start(): Promise<void> {
    this.#starting = startServer(this.#trusted, this.#command);
    const server = await this.#starting;
    this.#server = server;
    server.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharsKept);
    });
    eachLine(server.stderr, this.#onLine);
    void server.ended.then((how) => this.#onEnd(how));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const server = this.#server;
    if (server === undefined || this.#ended) throw new SdkError(SdkErrorCode.NotConnected, "The server has ended.");
    if (!server.stdin.write(serializeMessage(message)))
      await Promise.race([new Promise((resolve) => server.stdin.once("drain", resolve)), server.ended]);
  }

  async close(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined); // the transport may be closed before it has started
    await started?.end(graceMs);
  }

  #onEnd(how: string): void {
    this.#ended = how;
    this.#buffer.clear();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(toError(error)); // the message is too long
      void this.#server?.end(0);
      return;
    }
    while (this.#readMessage());
  }

  /** Returns whether there may be more messages. A line that is not a message is reported and skipped. */
  #readMessage(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message !== null) this.onmessage?.(message);
      return message !== null;
    } catch (error) {
      this.onerror?.(toError(error));
      return true;
    }
  }
}

/** Calls `onLine` for each line, even if it arrives in pieces or the last one has no line break. */
function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  const emit = (line: string) => line.trim() !== "" && onLine(line);
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineChars);
    for (const line of lines) emit(line);
  });
  stream.on("end", () => emit(rest));
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
