import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** The server's answer to a statement. */
export interface ClickHouseAnswer {
  /** The names and types of the columns. */
  readonly columns?: readonly (readonly [string, string])[];
  /** Each row as the server would write it. */
  readonly rows?: readonly string[];
  readonly error?: readonly [number, string];
  /**
   * How the answer ends. `cancelled`: sends the rows repeatedly, or nothing, until the client closes the connection. `cut`: cuts the
   * connection. `error`: ends with an error.
   */
  readonly until?: "cancelled" | "cut" | "error";
}

/** A local server that answers over HTTP like ClickHouse, with a test's results. */
export class ClickHouseServer {
  /** The received statements, in order. */
  readonly received: string[] = [];
  /** The settings of the received statements. */
  readonly settings: URLSearchParams[] = [];
  password = "right";
  readonly #server: Server;
  readonly #answer: (sql: string) => ClickHouseAnswer | string;

  private constructor(answer: (sql: string) => ClickHouseAnswer | string) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(answer: (sql: string) => ClickHouseAnswer | string): Promise<ClickHouseServer> {
    const server = new ClickHouseServer(answer);
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
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sql = await text(request);
    if (request.headers["x-clickhouse-key"] !== this.password) {
      fail(response, [
        516,
        "reader: Authentication failed: password is incorrect, or there is no user with such name.",
      ]);
      return;
    }
    this.received.push(sql);
    this.settings.push(new URL(request.url ?? "/", "http://127.0.0.1").searchParams);
    const answer = this.#answer(sql);
    if (typeof answer === "string") response.end(answer);
    else if (answer.error !== undefined && answer.until !== "error") fail(response, answer.error);
    else await send(response, answer);
  }
}

function fail(response: ServerResponse, [code, message]: readonly [number, string]): void {
  response.writeHead(code === 516 ? 403 : 500, { "X-ClickHouse-Exception-Code": String(code) });
  response.end(`Code: ${code}. DB::Exception: ${message} (NAME) (version 25.8.1.1 (official build))\n`);
}

/** Repeats the lines until the client closes the connection. */
async function repeat(response: ServerResponse, lines: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = () => {
    while (lines !== "" && !response.destroyed && response.write(lines)) {
      // The buffer still has space.
    }
  };
  response.on("drain", write);
  response.on("close", resolve);
  write();
  await promise;
}

async function send(response: ServerResponse, { columns = [], rows = [], until, error }: ClickHouseAnswer) {
  const [names, types] = [0, 1].map((index) => JSON.stringify(columns.map((column) => column[index])));
  const lines = `${rows.join("\n")}\n`;
  if (columns.length > 0) response.write(`${names}\n${types}\n`);
  if (rows.length > 0) response.write(lines);
  if (until === "cancelled") await repeat(response, rows.length > 0 ? lines : "");
  if (until === "cut") response.write('["half', () => response.destroy());
  else if (until === "error" && error !== undefined)
    response.end(`Code: ${error[0]}. DB::Exception: ${error[1]} (NAME) (version 25.8.1.1 (official build))\n`);
  else response.end();
}
