import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import {
  columnsToken,
  doneToken,
  errorToken,
  loginToken,
  preloginAnswer,
  rowToken,
  type TdsColumn,
} from "./tds-tokens.ts";

/** The server's answer to a statement. Without rows, the statement is done at once. */
export interface ScriptedAnswer {
  readonly columns?: readonly TdsColumn[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly error?: readonly [number, string];
  /**
   * How the answer ends. `cancelled`: sends the rows repeatedly, or nothing at all, until the client cancels. `cut`: cuts the connection.
   */
  readonly until?: "cancelled" | "cut";
}

const types = { batch: 1, rpc: 3, answer: 4, attention: 6, login: 16, prelogin: 18 };

/** A local server that speaks Tabular Data Stream without encryption, and gives a test's answers. */
export class ScriptedServer {
  /** The statements that arrived, and `attention` for each request to cancel, in order. */
  readonly received: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answer: (sql: string) => ScriptedAnswer;
  loginError: readonly [number, string] | undefined;

  private constructor(answer: (sql: string) => ScriptedAnswer) {
    this.#answer = answer;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(answer: (sql: string) => ScriptedAnswer): Promise<ScriptedServer> {
    const server = new ScriptedServer(answer);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const client = new ScriptedClient(socket, this.#handle);
    socket.on("data", (chunk) => client.receive(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      client.isOpen = false;
      this.#sockets.delete(socket);
    });
  }

  readonly #handle = (client: ScriptedClient, type: number, body: Buffer): void => {
    if (type === types.prelogin) client.send(preloginAnswer());
    else if (type === types.login) this.#login(client);
    else if (type === types.attention) this.#cancel(client);
    else if (type === types.batch || type === types.rpc) this.#run(client, textOf(body));
  };

  #login(client: ScriptedClient): void {
    const error = this.loginError;
    client.send(
      error === undefined
        ? Buffer.concat([loginToken(), doneToken(0)])
        : Buffer.concat([errorToken(...error), doneToken(2)]),
    );
  }

  #cancel(client: ScriptedClient): void {
    this.received.push("attention");
    client.isStreaming = false;
    // First, the answer to the statement ends. Then the answer to the attention follows.
    if (client.isPending) client.send(doneToken(2));
    client.isPending = false;
    client.send(doneToken(0x20));
  }

  #run(client: ScriptedClient, sql: string): void {
    this.received.push(sql);
    const { columns = [], rows = [], error, until } = this.#answer(sql);
    const data = Buffer.concat([
      ...(columns.length > 0 ? [columnsToken(columns)] : []),
      ...rows.map((row) => rowToken(columns, row)),
    ]);
    const end =
      error === undefined ? doneToken(0x10, rows.length) : Buffer.concat([errorToken(...error), doneToken(2)]);
    if (until === undefined) {
      client.send(Buffer.concat([data, end]));
      return;
    }
    client.isPending = true;
    if (data.length > 0) client.send(data, false);
    if (until === "cut") setImmediate(() => client.socket.destroy());
    else if (rows.length > 0) client.stream(Buffer.concat(rows.map((row) => rowToken(columns, row))));
  }
}

/** Returns the text of the statement in a message. The headers before it may have an even or odd length. */
function textOf(body: Buffer): string {
  // Node.js 24.21 corrupts its memory if it reads an odd number of bytes from an odd address as UTF-16, so the bytes are copied.
  const texts = [0, 1].map((offset) => Buffer.from(body.subarray(offset)).toString("utf16le"));
  const found = texts.map((candidate) => /[\x20-\x7e\n\t]{8,}/.exec(candidate)?.[0] ?? "");
  return found.sort((a, b) => b.length - a.length)[0] ?? "";
}

class ScriptedClient {
  readonly socket: Socket;
  isOpen = true;
  isStreaming = false;
  /** Whether the answer to a statement has not ended yet. */
  isPending = false;
  readonly #handle: (client: ScriptedClient, type: number, body: Buffer) => void;
  #buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];

  constructor(socket: Socket, handle: (client: ScriptedClient, type: number, body: Buffer) => void) {
    this.socket = socket;
    this.#handle = handle;
  }

  receive(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 8 && this.#buffer.length >= this.#buffer.readUInt16BE(2)) this.#takePacket();
  }

  #takePacket(): void {
    const length = this.#buffer.readUInt16BE(2);
    const [type = 0, status = 0] = this.#buffer;
    this.#parts.push(this.#buffer.subarray(8, length));
    this.#buffer = this.#buffer.subarray(length);
    if ((status & 1) === 0) return;
    const body = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#handle(this, type, body);
  }

  /** Sends a message, or with `isLast: false` its first part, in packets of at most 4,000 bytes. */
  send(body: Buffer, isLast = true): void {
    for (let start = 0; start < body.length; start += 4_000) {
      const part = body.subarray(start, start + 4_000);
      const status = isLast && start + 4_000 >= body.length ? 1 : 0;
      const head = Buffer.from([types.answer, status, (part.length + 8) >> 8, (part.length + 8) & 255, 0, 0, 1, 0]);
      if (this.isOpen) this.socket.write(Buffer.concat([head, part]));
    }
  }

  /** Repeats a part as fast as the client reads, until the client cancels. */
  stream(body: Buffer): void {
    this.isStreaming = true;
    this.#streamOn(body);
  }

  #streamOn(body: Buffer): void {
    if (!this.isStreaming || !this.isOpen) return;
    this.send(body, false);
    if (this.socket.writableNeedDrain) this.socket.once("drain", () => this.#streamOn(body));
    else setImmediate(() => this.#streamOn(body));
  }
}
