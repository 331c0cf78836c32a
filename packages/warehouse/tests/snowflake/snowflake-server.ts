import { createHash, type KeyObject, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { z } from "zod";

export type ServerColumn = readonly [name: string, type: string, scale?: number, precision?: number];

/** The server's answer to a statement. */
export interface SnowflakeAnswer {
  readonly columns?: readonly ServerColumn[];
  /** The rows of each partition. */
  readonly partitions?: readonly (readonly (readonly (string | null)[])[])[];
  readonly error?: readonly [code: string, message: string];
  /** The HTTP status of the error. */
  readonly status?: number;
  /** The number of requests that are answered with 202 before the statement has ended. */
  readonly pending?: number;
  /** The partition during which the connection is cut. */
  readonly cutAt?: number;
}

const bodySchema = z.strictObject({
  statement: z.string(),
  timeout: z.int().min(0),
  database: z.string().optional(),
  schema: z.string().optional(),
  warehouse: z.string().optional(),
  role: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
});
export type SnowflakeBody = z.output<typeof bodySchema>;

/** The parameters of a session that the API documents. */
const parameters = new Set(
  `MULTI_STATEMENT_COUNT QUERY_TAG TIMEZONE BINARY_OUTPUT_FORMAT DATE_OUTPUT_FORMAT TIME_OUTPUT_FORMAT TIMESTAMP_OUTPUT_FORMAT
  TIMESTAMP_NTZ_OUTPUT_FORMAT TIMESTAMP_LTZ_OUTPUT_FORMAT TIMESTAMP_TZ_OUTPUT_FORMAT ROWS_PER_RESULTSET USE_CACHED_RESULT
  CLIENT_RESULT_CHUNK_SIZE`.split(/\s+/),
);

/** The answer to two statements if MULTI_STATEMENT_COUNT is 1. */
const severalStatements: SnowflakeAnswer = {
  error: ["000008", "Actual statement count 2 did not match the desired statement count 1."],
};

/** Counts statements, precisely enough for tests, whose strings and comments contain no semicolons. */
function countStatements(sql: string): number {
  return sql
    .replaceAll(/'(?:[^'\\]|\\.|'')*'|--[^\n]*/g, "")
    .split(";")
    .filter((part) => part.trim() !== "").length;
}

interface Execution {
  readonly handle: string;
  readonly answer: SnowflakeAnswer;
  asked: number;
}

/** A local server that answers like Snowflake's SQL API, with a test's results. */
export class SnowflakeServer {
  /** The bodies of the executed statements, in order. */
  readonly executed: SnowflakeBody[] = [];
  readonly cancelled: string[] = [];
  /** The method, the path and the query parameter names of each request. */
  readonly requests: string[] = [];
  token = "right";
  tokenType = "PROGRAMMATIC_ACCESS_TOKEN";
  /** The user's key, if tokens must be signed. */
  publicKey: KeyObject | undefined;
  issuer = "MYORG-ANALYTICS.READER";
  /** Called with each request before it is answered. Returns true if it has answered the request or cut the connection. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #answer: (sql: string) => SnowflakeAnswer;
  readonly #byHandle = new Map<string, Execution>();
  readonly #byRequest = new Map<string, Execution>();

  private constructor(answer: (sql: string) => SnowflakeAnswer) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(answer: (sql: string) => SnowflakeAnswer): Promise<SnowflakeServer> {
    const server = new SnowflakeServer(answer);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get endpoint(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const body = await text(request);
    this.requests.push(`${request.method} ${url.pathname} ${[...url.searchParams.keys()].join(",")}`);
    const refusal = this.#refuse(request);
    if (refusal !== undefined) fail(response, 401, refusal);
    else if (request.headers["user-agent"] === undefined) fail(response, 400, ["390000", "User-Agent is missing."]);
    else this.#route(request, url, body, response);
    if (!response.headersSent && !response.destroyed) fail(response, 404, ["000404", "Not found."]);
  }

  #refuse(request: IncomingMessage): readonly [string, string] | undefined {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const type = request.headers["x-snowflake-authorization-token-type"];
    if (type !== this.tokenType) return ["390146", "The type of the token is not that of the token."];
    if (this.publicKey !== undefined) return checkSigned(token, this.publicKey, this.issuer);
    return token === this.token ? undefined : ["390303", "Invalid access token."];
  }

  #route(request: IncomingMessage, url: URL, body: string, response: ServerResponse): void {
    const [, handle, action] = /^\/api\/v2\/statements(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (!url.pathname.startsWith("/api/v2/statements")) return;
    if (request.method === "POST" && handle === undefined) this.#submit(request, url, body, response);
    else if (request.method === "POST" && action === "cancel") this.#cancel(handle ?? "", response);
    else if (request.method === "GET" && action === undefined) this.#ask(request, handle ?? "", url, response);
  }

  #submit(request: IncomingMessage, url: URL, text: string, response: ServerResponse): void {
    const body = bodySchema.safeParse(JSON.parse(text));
    const id = url.searchParams.get("requestId") ?? "";
    const refusal = refuseSubmission(request, body, id);
    if (refusal !== undefined || !body.success) {
      fail(response, 400, refusal ?? ["391902", "The body cannot be read."]);
      return;
    }
    const known = url.searchParams.get("retry") === "true" ? this.#byRequest.get(id) : undefined;
    const execution = known ?? this.#execute(body.data, id);
    if (this.before(request, response)) return;
    const isAsync = url.searchParams.get("async") === "true" && execution.answer.status === undefined;
    if (isAsync) running(response, execution);
    else this.#finish(execution, response);
  }

  #execute(body: SnowflakeBody, id: string): Execution {
    this.executed.push(body);
    const answer = countStatements(body.statement) > 1 ? severalStatements : this.#answer(body.statement);
    const execution = { handle: randomUUID(), answer, asked: 0 };
    this.#byHandle.set(execution.handle, execution);
    this.#byRequest.set(id, execution);
    return execution;
  }

  #ask(request: IncomingMessage, handle: string, url: URL, response: ServerResponse): void {
    if (this.before(request, response)) return;
    const execution = this.#byHandle.get(handle);
    const partition = url.searchParams.get("partition");
    if (execution !== undefined) execution.asked += 1;
    if (execution === undefined) fail(response, 422, ["000709", `Statement ${handle} not found`]);
    else if (this.cancelled.includes(handle)) fail(response, 422, ["000604", "SQL execution canceled"]);
    else if (execution.asked <= (execution.answer.pending ?? 0)) running(response, execution);
    else if (partition === null) this.#finish(execution, response);
    else sendPartition(execution.answer, Number(partition), response);
  }

  #finish({ answer, handle }: Execution, response: ServerResponse): void {
    const { error, status = 422 } = answer;
    if (error === undefined) send(response, 200, resultOf(answer, handle));
    else fail(response, status, error, handle);
  }

  #cancel(handle: string, response: ServerResponse): void {
    this.cancelled.push(handle);
    send(response, 200, { statementHandle: handle, message: "successfully canceled" });
  }
}

function refuseSubmission(
  request: IncomingMessage,
  body: z.ZodSafeParseResult<SnowflakeBody>,
  id: string,
): readonly [string, string] | undefined {
  if (request.headers["content-type"] !== "application/json") return ["391900", "Unsupported media type."];
  if (!body.success) return ["391902", `The body cannot be read: ${body.error.message}`];
  const unknown = Object.keys(body.data.parameters).find((name) => !parameters.has(name));
  if (unknown !== undefined) return ["391915", `Unknown parameter ${unknown}.`];
  return z.uuid().safeParse(id).success ? undefined : ["391903", "requestId is no UUID."];
}

function resultOf({ columns = [["A", "text"]], partitions = [[]] }: SnowflakeAnswer, handle: string): object {
  const rowType = columns.map(([name, type, scale = 0, precision = 38]) => {
    return { name, database: "", schema: "", table: "", type, nullable: true, length: null, scale, precision };
  });
  const partitionInfo = partitions.map((rows) => ({ rowCount: rows.length, uncompressedSize: 1 }));
  return {
    resultSetMetaData: { numRows: partitions.flat().length, format: "jsonv2", partitionInfo, rowType },
    data: partitions[0],
    code: "090001",
    statementHandle: handle,
    sqlState: "00000",
    message: "Statement executed successfully.",
    createdOn: 1_700_000_000_000,
  };
}

function running(response: ServerResponse, { handle }: Execution): void {
  send(response, 202, {
    code: "333334",
    message: "Asynchronous execution in progress. Use provided query id to perform query monitoring and management.",
    statementHandle: handle,
    statementStatusUrl: `/api/v2/statements/${handle}`,
  });
}

/** Sends a partition. Partitions after the first one are compressed. */
function sendPartition({ partitions = [], cutAt }: SnowflakeAnswer, number: number, response: ServerResponse): void {
  const content = gzipSync(JSON.stringify({ data: partitions[number] ?? [] }));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
  if (cutAt === number) response.write(content.subarray(0, 12), () => response.destroy());
  else response.end(content);
}

function checkSigned(token: string, key: KeyObject, issuer: string): readonly [string, string] | undefined {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const content = Buffer.from(`${header}.${claims}`);
  const isSigned = verify("sha256", content, key, Buffer.from(signature, "base64url"));
  const read = z
    .object({ iss: z.string(), sub: z.string(), iat: z.number(), exp: z.number() })
    .safeParse(JSON.parse(Buffer.from(claims, "base64url").toString() || "{}"));
  const der = key.export({ type: "spki", format: "der" });
  const print = `SHA256:${createHash("sha256").update(der).digest("base64")}`;
  const { iss, sub, iat = 0, exp = 0 } = read.data ?? {};
  const isFresh = exp - iat <= 3_600 && Math.abs(Date.now() / 1_000 - iat) < 3_000;
  if (isSigned && isFresh && sub === issuer && iss === `${issuer}.${print}`) return undefined;
  return ["390144", "JWT token is invalid."];
}

function send(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(content));
}

function fail(response: ServerResponse, status: number, [code, message]: readonly [string, string], handle?: string) {
  send(response, status, { code, message, sqlState: "42000", statementHandle: handle ?? randomUUID() });
}
