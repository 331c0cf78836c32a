import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { type ServerCommand, type ServerProcess, startServer } from "./server-process.ts";

/** A transport whose server's last words are known. */
export interface StdioTransport extends Transport {
  /** How the server ended and what it wrote to its standard error last; empty while it runs. */
  readonly lastWords: string;
}

/** Time for a server to end by itself when its input is closed. */
const graceMs = 1500;

const wordsKept = 500;

/**
 * The protocol's standard streams over a process that is not the SDK's own: it gets no variables but those given, is
 * ended with all that it started, also when this process is killed, and does not hear a Ctrl-C that is for its owner.
 */
export function createStdioTransport(command: ServerCommand, onLine: (line: string) => void): StdioTransport {
  const buffer = new ReadBuffer();
  let starting: Promise<ServerProcess> | undefined;
  let server: ServerProcess | undefined;
  let words = "";
  let ended = "";

  function read(chunk: Buffer): void {
    try {
      buffer.append(chunk);
    } catch (error) {
      transport.onerror?.(toError(error)); // a message without end
      void server?.end(0);
      return;
    }
    while (readMessage());
  }

  /** Whether there may be more; a line that is no message is told and skipped. */
  function readMessage(): boolean {
    try {
      const message = buffer.readMessage();
      if (message !== null) transport.onmessage?.(message);
      return message !== null;
    } catch (error) {
      transport.onerror?.(toError(error));
      return true;
    }
  }

  const transport: StdioTransport = {
    get lastWords() {
      return ended && [ended, words.trim()].filter(Boolean).join(": ");
    },
    async start() {
      starting = startServer(command);
      server = await starting;
      server.stdout.on("data", read);
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        words = (words + text).slice(-wordsKept);
      });
      eachLine(server.stderr, onLine);
      void server.ended.then((how) => {
        ended = how;
        buffer.clear();
        transport.onclose?.();
      });
    },
    async send(message: JSONRPCMessage) {
      if (server === undefined || ended) throw new SdkError(SdkErrorCode.NotConnected, "The server has ended.");
      const { stdin } = server;
      if (!stdin.write(serializeMessage(message)))
        await Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), server.ended]);
    },
    async close() {
      const started = await starting?.catch(() => undefined); // whoever closes it need not have waited for it
      await started?.end(graceMs);
    },
  };
  return transport;
}

/** A line may come in pieces, and the last one without its end. */
function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  const tell = (line: string) => line.trim() !== "" && onLine(line);
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, 10_000);
    for (const line of lines) tell(line);
  });
  stream.on("end", () => tell(rest));
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
