import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { findFault, findTokenFault, insertBody } from "./bigquery-api.ts";

/** A field of a schema, in the API's form. */
export interface ApiField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly description?: string;
  readonly fields?: readonly ApiField[];
  readonly precision?: string;
  readonly scale?: string;
  readonly maxLength?: string;
  readonly rangeElementType?: { readonly type: string };
}

/** An error: HTTP status, reason and message. */
export type ApiError = readonly [number, string, string];

/** The server's answer to a statement. */
export interface BigQueryAnswer {
  /** The kind of the statement that a dry run reports. Default: SELECT. */
  readonly statementType?: string;
  readonly fields?: readonly ApiField[];
  /** The values of each row, in the API's form. */
  readonly rows?: readonly (readonly unknown[])[];
  /** The error of a dry run. */
  readonly error?: ApiError;
  /** The error of the job itself. */
  readonly jobError?: ApiError;
  /** The number of requests for the job's state before it is done. */
  readonly polls?: number;
  /** Whether the job runs until it is cancelled. */
  readonly isEndless?: boolean;
}

export interface ApiRequest {
  readonly method: string;
  /** The path under the project. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface Job {
  readonly answer: BigQueryAnswer;
  polls: number;
  isCancelled: boolean;
}

const projectPath = "/bigquery/v2/projects/shop-data";

/** A local server that answers like BigQuery's API, with a test's results. Its data are in the EU. */
export class BigQueryServer {
  readonly requests: ApiRequest[] = [];
  /** The statements that ran (`ran`), and those that were only dry-run (`tried`). */
  readonly ran: string[] = [];
  readonly tried: string[] = [];
  readonly cancelled: string[] = [];
  /** Bodies of requests for access tokens. */
  readonly logins: URLSearchParams[] = [];
  tokens = new Set(["right"]);
  /** The key that signs logins. */
  publicKey = "";
  /** The answers about datasets and tables, by path. Each is a body or an error. */
  readonly resources = new Map<string, unknown>();
  /** Called before each request is answered. Returns true if it has answered the request itself. */
  intercept: (request: ApiRequest, response: ServerResponse) => boolean = () => false;
  /** The maximum number of rows on a page, regardless of the request. */
  pageRows = 1_000;
  readonly #jobs = new Map<string, Job>();
  readonly #server: Server;
  readonly #answer: (sql: string) => BigQueryAnswer;

  private constructor(answer: (sql: string) => BigQueryAnswer) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(answer: (sql: string) => BigQueryAnswer = () => ({})): Promise<BigQueryServer> {
    const server = new BigQueryServer(answer);
    server.resources.set("/datasets", { datasets: [] });
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get endpoint(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  /** The number of endless jobs that have not been cancelled. */
  get running(): number {
    return [...this.#jobs.values()].filter(({ answer, isCancelled }) => answer.isEndless && !isCancelled).length;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", this.endpoint);
    const content = await text(incoming);
    if (url.pathname === "/token") this.#login(new URLSearchParams(content), response);
    else {
      const body: unknown = content === "" ? undefined : JSON.parse(content);
      const path = url.pathname.replace(projectPath, "");
      const request = { method: incoming.method ?? "", path, query: url.searchParams, body };
      this.requests.push(request);
      if (!this.intercept(request, response)) this.#route(request, incoming, response);
    }
  }

  #login(form: URLSearchParams, response: ServerResponse): void {
    this.logins.push(form);
    const fault = findTokenFault(form, `${this.endpoint}/token`, this.publicKey);
    if (fault !== undefined) send(response, 400, { error: "invalid_grant", error_description: fault });
    else send(response, 200, { access_token: [...this.tokens][0], expires_in: 3_599, token_type: "Bearer" });
  }

  #route({ method, path, query, body }: ApiRequest, { headers }: IncomingMessage, response: ServerResponse): void {
    const other = /^\/bigquery\/v2\/projects\/[^/]+(\/.*)$/.exec(path)?.[1];
    const fault = findFault(method, other ?? path, query, headers["content-type"] ?? "");
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    if (!this.tokens.has(token)) fail(response, [401, "authError", "Invalid Credentials"]);
    else if (fault !== undefined) fail(response, [400, "invalid", fault]);
    else if (path === "/jobs") this.#insert(body, response);
    else if (path.startsWith("/jobs/")) this.#cancel(path, query, response);
    else if (path.startsWith("/queries/")) this.#results(path, query, response);
    else this.#resource(path, response);
  }

  #insert(body: unknown, response: ServerResponse): void {
    const parsed = insertBody.safeParse(body);
    if (!parsed.success) {
      fail(response, [400, "invalid", z.prettifyError(parsed.error)]);
      return;
    }
    const { jobReference, configuration } = parsed.data;
    const { location = "EU", jobId } = jobReference;
    const sql = configuration.query.query;
    const answer = this.#answer(sql);
    const job = { jobReference: { projectId: "shop-data", location } };
    if (location !== "EU")
      fail(response, [404, "notFound", `Not found: Dataset shop-data:shop was not found in location ${location}`]);
    else if (configuration.dryRun) {
      this.tried.push(sql);
      const { statementType = "SELECT", error } = answer;
      if (error !== undefined) fail(response, error);
      else send(response, 200, { ...job, status: { state: "DONE" }, statistics: tried(statementType) });
    } else if (this.#jobs.has(jobId)) fail(response, [409, "duplicate", `Already Exists: Job shop-data:EU.${jobId}`]);
    else {
      this.ran.push(sql);
      this.#jobs.set(jobId, { answer, polls: answer.polls ?? 0, isCancelled: false });
      send(response, 200, { jobReference: { ...job.jobReference, jobId }, status: { state: "RUNNING" } });
    }
  }

  #cancel(path: string, query: URLSearchParams, response: ServerResponse): void {
    const id = path.split("/")[2] ?? "";
    const job = this.#jobs.get(id);
    if (job === undefined || query.get("location") !== "EU") fail(response, [404, "notFound", "Not found: Job"]);
    else {
      this.cancelled.push(id);
      job.isCancelled = true;
      send(response, 200, { kind: "bigquery#jobCancelResponse" });
    }
  }

  #results(path: string, query: URLSearchParams, response: ServerResponse): void {
    const jobId = path.split("/")[2] ?? "";
    const job = this.#jobs.get(jobId);
    const jobReference = { projectId: "shop-data", jobId, location: "EU" };
    if (job === undefined || query.get("location") !== "EU") fail(response, [404, "notFound", "Not found: Job"]);
    else if (job.answer.isEndless)
      return; // no answer until the client disconnects
    else if (job.polls > 0) {
      job.polls -= 1;
      send(response, 200, { jobComplete: false, jobReference });
    } else if (job.answer.jobError !== undefined) fail(response, job.answer.jobError);
    else this.#page(jobId, job.answer, query, response);
  }

  #page(jobId: string, { fields = [], rows = [] }: BigQueryAnswer, query: URLSearchParams, response: ServerResponse) {
    const [, ofJob, at] = /^(.+):(\d+)$/.exec(query.get("pageToken") ?? `${jobId}:0`) ?? [];
    if (ofJob !== jobId) {
      fail(response, [400, "invalid", "Invalid page token"]);
      return;
    }
    const start = Number(at);
    const end = start + Math.min(Number(query.get("maxResults")), this.pageRows);
    send(response, 200, {
      jobComplete: true,
      jobReference: { projectId: "shop-data", jobId, location: "EU" },
      schema: { fields },
      totalRows: String(rows.length),
      ...(end < rows.length ? { pageToken: `${jobId}:${end}` } : {}),
      ...(rows.length === 0 ? {} : { rows: rows.slice(start, end).map((row) => ({ f: row.map((v) => ({ v })) })) }),
    });
  }

  #resource(path: string, response: ServerResponse): void {
    const found = this.resources.get(decodeURIComponent(path));
    if (Array.isArray(found)) fail(response, z.tuple([z.number(), z.string(), z.string()]).parse(found));
    else if (found === undefined) fail(response, [404, "notFound", `Not found: ${path}`]);
    else send(response, 200, found);
  }
}

function tried(statementType: string) {
  return { totalBytesProcessed: "12345", query: { statementType, totalBytesProcessed: "12345" } };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export function fail(response: ServerResponse, [code, reason, message]: ApiError): void {
  send(response, code, { error: { code, message, errors: [{ message, domain: "global", reason }], status: "ERROR" } });
}
