/**
 * Creates one of every resource that a request can refer to, by sending requests: sessions, runs, questions, test runs, and
 * resources of protocols.
 */
import { expect } from "vitest";

export interface FilledIds {
  /** A session with a run that has ended. */
  readonly session: string;
  readonly run: string;
  /** A session that no other request needs. */
  readonly removable: string;
  readonly artifact: string;
  /** An open question, and the run that waits for its answer. */
  readonly approval: string;
  readonly inputHash: string;
  /** A run that waits for the answer to another question. */
  readonly waitingRun: string;
  readonly permission: string;
  readonly testRun: string;
  readonly earlierTestRun: string;
  /** A test run in progress. */
  readonly newTestRun: string;
  readonly response: string;
  readonly mcpSession: string;
}

/** A complete reply. If it is a stream, the stream has ended. */
interface FillReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type SendRequest = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<FillReply>;

export interface FillOptions {
  /** A prompt whose first call requires approval. */
  readonly asking: string;
  /** The prefix of the session names. Default: empty. */
  readonly prefix?: string;
}

/** Fills a project with an agent `agent`, its documents `handbook` and its cases `greets` and `waits`. Its script knows "plain". */
export async function fillServer(send: SendRequest, { asking, prefix = "" }: FillOptions): Promise<FilledIds> {
  const filler = new ServerFiller(send);
  const [session, removable] = [`${prefix}full-session`, `${prefix}removable`];
  await filler.make("POST", "/api/v1/documents/index", { agent: "agent" });
  const run = await filler.run(session, "plain words, please");
  await filler.run(removable, "plain");
  const asked = await filler.ask(`${prefix}asked`, asking);
  const waiting = await filler.ask(`${prefix}waiting`, asking);
  await filler.answerForProject(await filler.ask(`${prefix}remembered`, asking));
  const [earlierTestRun, testRun] = [await filler.test(), await filler.test()];
  const { id: newTestRun } = await filler.make("POST", "/api/v1/tests/runs", { agent: "agent", cases: ["waits"] });
  const { id: response } = await filler.make("POST", "/openai/v1/responses", { model: "agent", input: "plain" });
  return {
    session,
    run,
    removable,
    artifact: await filler.artifactOf(run),
    approval: asked.id,
    inputHash: asked.inputHash,
    waitingRun: waiting.run,
    permission: await filler.permission(),
    testRun,
    earlierTestRun,
    newTestRun,
    response,
    mcpSession: await filler.openMcp(),
  };
}

interface Question {
  readonly id: string;
  readonly inputHash: string;
  readonly run: string;
}

class ServerFiller {
  readonly #send: SendRequest;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  /** Sends a request that must succeed, and returns the reply. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any route
  async make(method: string, path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<any> {
    const { status, text } = await this.#send(method, path, json, headers);
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text);
  }

  /** Performs a run, and returns its id. */
  async run(session: string, prompt: string): Promise<string> {
    const { runId } = await this.make("POST", `/api/v1/sessions/${session}/runs`, { prompt });
    await expect
      .poll(async () => (await this.make("GET", `/api/v1/runs/${runId}`)).ended, { timeout: 20_000 })
      .toBe(true);
    return runId;
  }

  /** Starts a run with this prompt, and returns its question. */
  async ask(session: string, prompt: string): Promise<Question> {
    const { runId } = await this.make("POST", `/api/v1/sessions/${session}/runs`, { prompt });
    let open: { readonly id: string; readonly inputHash: string } | undefined;
    const find = async () => {
      [open] = (await this.make("GET", `/api/v1/approvals?session=${session}`)).approvals;
      return open?.id;
    };
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    if (open === undefined) throw new Error("The run asked nothing.");
    return { id: open.id, inputHash: open.inputHash, run: runId };
  }

  /** Answers for the whole project, for an input that is used nowhere else. */
  async answerForProject({ id, inputHash }: Question): Promise<void> {
    const answer = { inputHash, decision: "deny", scope: "project", when: { id: "^never$" } };
    await this.make("POST", `/api/v1/approvals/${id}/answer`, answer);
  }

  async permission(): Promise<string> {
    return (await this.make("GET", "/api/v1/permissions")).permissions[0].id;
  }

  /** Performs a test run, and returns its id. */
  async test(): Promise<string> {
    const { id } = await this.make("POST", "/api/v1/tests/runs", { agent: "agent", cases: ["greets"] });
    await this.#send("GET", `/api/v1/tests/runs/${id}/events`); // the reply ends with the test run
    return id;
  }

  async artifactOf(run: string): Promise<string> {
    return (await this.make("GET", `/api/v1/runs/${run}/replay`)).inputs[0].artifact;
  }

  async openMcp(): Promise<string> {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const { headers, text } = await this.#send("POST", "/mcp", body, { accept: mcpAccepts });
    const session = headers.get("mcp-session-id");
    if (session === null) throw new Error(`MCP gave no session: ${text}`);
    const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
    await this.#send("POST", "/mcp", ready, { accept: mcpAccepts, "mcp-session-id": session });
    return session;
  }
}

const mcpAccepts = "application/json, text/event-stream";
