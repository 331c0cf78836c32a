import type { RunEvent } from "@bridle/protocol";
import type { PlacedEntries, PlacedEntry } from "@bridle/protocol/transcript";
import type * as api from "./api-types.ts";
import type { ReconnectOptions } from "./event-stream.ts";
import { type FollowedTopics, followSession, followSeveral } from "./follow-session.ts";
import { followTests, type TestOverviewNews, type TestRunNews } from "./follow-tests.ts";
import { Http, type HttpOptions } from "./http.ts";
import { BridleRequestError } from "./request-error.ts";
import type { ServerSentEvent } from "./server-sent-events.ts";

export type BridleClientOptions = HttpOptions;

export interface FollowSessionOptions extends ReconnectOptions {
  /** The last event that you have. Default: 0, for all events. */
  readonly after?: number | undefined;
}

/** A transcript without its long contents. For each of them, `omitted` contains the `seq` of the event with the full content. */
export interface SessionTranscript extends Omit<PlacedEntries, "entries"> {
  entries: readonly (PlacedEntry & {
    readonly omitted?: readonly { readonly field: string; readonly characters: number; readonly seq: number }[];
  })[];
}

export interface StartOptions {
  /** Whether to wait for the end of the session's current run. */
  readonly wait?: boolean;
  /** Calls with the same key start only one run. Default: a new key for each call. */
  readonly key?: string;
}

/** The state of a run at one of its events, with the events to which a replay can move. */
export interface RunReplay extends Omit<api.ApiReplay, "transcript"> {
  readonly transcript: SessionTranscript;
}

export interface PromptToSend {
  readonly prompt: string;
  readonly attachments?: readonly { readonly name?: string; readonly mediaType: string; readonly data: string }[];
  /** The time limit of the run, in seconds. */
  readonly timeLimit?: number;
  /** Options that the server's `serve.allow` permits: the model, the rule mode, and the maximum number of model responses. */
  readonly model?: string;
  readonly mode?: string;
  readonly steps?: number;
  /** The id of the agent that runs. Default: the session's agent. */
  readonly agent?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The maximum number of attempts to send a prompt if the connection breaks. All attempts have the same key, so they start only one run. */
const maxAttempts = 3;

/**
 * A client of one server. Every method throws BridleRequestError if the server refuses the request.
 *
 * @example
 * const client = new BridleClient({ url: "http://127.0.0.1:4900", token });
 * const { firstSeq } = await client.start("order-42", { prompt: "Where is my order?" });
 * for await (const event of client.follow("order-42", { after: firstSeq - 1 })) console.log(event.type);
 */
export class BridleClient {
  readonly #http: Http;

  constructor(options: BridleClientOptions) {
    this.#http = new Http(options);
  }

  status = () => this.#get<api.ApiStatus>(["status"]);
  doctor = () => this.#get<api.ApiDoctor>(["doctor"]);
  models = () => this.#get<api.ApiModels>(["models"]);
  limits = () => this.#get<api.ApiLimits>(["limits"]);
  /** Returns the daily costs of runs. Days begin at midnight in `timeZone`, such as `Europe/Berlin`. */
  costs = (query: { days?: number; timeZone?: string } = {}) => this.#get<api.ApiCosts>(["costs"], query);
  processes = () => this.#get<api.ApiProcesses>(["processes"]);
  /** Returns the newest boundary check: whether the model receives only what Bridle passes to it. `proveBoundary` runs a new check. */
  boundary = () => this.#get<api.ApiBoundary>(["doctor", "boundary"]);
  proveBoundary = () => this.#http.json<api.ApiBoundary>("POST", ["doctor", "boundary"], { body: {} });

  agents = () => this.#get<api.ApiAgents>(["agents"]);
  agent = (id: string) => this.#get<api.ApiAgent>(["agents", id]);
  /** Returns whether the current agent files are valid. */
  agentChecks = () => this.#get<api.ApiAgentChecks>(["agent-checks"]);
  /** Checks an agent's current file. */
  checkAgent = (id: string) => this.#get<api.ApiAgentProblems>(["agents", id, "check"]);
  /** Checks a string as the content of an agent file. */
  validateAgent = (id: string, text: string) =>
    this.#http.json<api.ApiAgentCheck>("POST", ["agents", id, "validate"], { body: { text } });

  sessions = (query: { agent?: string; q?: string; tests?: boolean; cursor?: string; limit?: number } = {}) =>
    this.#get<api.ApiSessions>(["sessions"], query);
  createSession = (session: { agent?: string; id?: string; labels?: Readonly<Record<string, string>> } = {}) =>
    this.#http.json<api.ApiListedSession>("POST", ["sessions"], { body: session, headers: newKey() });
  session = (id: string) => this.#get<api.ApiSession>(["sessions", id]);
  removeSession = (id: string) => this.#http.json<api.ApiRemovedSession>("DELETE", ["sessions", id]);
  /** Creates another session with the history of this session. */
  fork = (id: string, options: { atStep?: number; id?: string } = {}) =>
    this.#http.json<api.ApiCreatedSession>("POST", ["sessions", id, "fork"], { body: options, headers: newKey() });
  compact = (id: string, strategy: "drop-tool-results" | "summarise") =>
    this.#http.json<{ isShorter: boolean }>("POST", ["sessions", id, "compact"], { body: { strategy } });

  /** Returns the conversation up to an event. To add later events, use `new PlacedTranscript(transcript)`. */
  transcript = (session: string, at?: number) =>
    this.#get<SessionTranscript>(["sessions", session, "transcript"], { at });
  context = (session: string, at?: number) => this.#get<api.ApiContext>(["sessions", session, "context"], { at });
  /** Returns a page of events. */
  events = (session: string, query: { after?: number; limit?: number } = {}) =>
    this.#get<{ events: RunEvent[]; lastSeq: number }>(["sessions", session, "events"], query);

  /** Yields each event once and in order, including new events. Reconnects automatically until the signal is aborted. */
  follow(session: string, { after = 0, ...options }: FollowSessionOptions = {}): AsyncGenerator<RunEvent> {
    return followSession(this.#http, { session, after }, options);
  }

  /**
   * Follows several sessions, each from the last event that you have, and topics such as `approvals` and `runs` over one connection. Yields
   * each event once. Reconnects automatically until the signal is aborted. After a reconnection, the server sends topics again in full.
   */
  stream(followed: FollowedTopics, options: ReconnectOptions = {}): AsyncGenerator<ServerSentEvent> {
    return followSeveral(this.#http, followed, options);
  }

  /**
   * Sends a prompt. The run continues if you disconnect. If the connection breaks, the client sends the prompt again, but only one run
   * starts.
   */
  async start(
    session: string,
    prompt: PromptToSend,
    { wait = false, key }: StartOptions = {},
  ): Promise<api.ApiStartedRun> {
    const request = { body: prompt, headers: newKey(key), query: { wait: wait ? 1 : undefined } };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#http.json<api.ApiStartedRun>("POST", ["sessions", session, "runs"], request);
      } catch (error) {
        if (error instanceof BridleRequestError || attempt === maxAttempts) throw error;
      }
    }
  }

  runs = (session: string, query: { cursor?: string; limit?: number } = {}) =>
    this.#get<api.ApiRuns>(["sessions", session, "runs"], query);
  run = (id: string) => this.#get<api.ApiRun>(["runs", id]);
  stop = (id: string, reason?: string) =>
    this.#http.json<{ runId: string }>("POST", ["runs", id, "stop"], { body: reason === undefined ? {} : { reason } });
  /** Returns a run up to an event. `entries` limits the transcript to the last entries. */
  replay = (id: string, query: { at?: number | undefined; entries?: number } = {}) =>
    this.#get<RunReplay>(["runs", id, "replay"], query);
  /** Returns a run's bundle, as `bridle bundle` writes it. */
  bundle = (id: string, { artifacts = false } = {}) =>
    this.#http.send("GET", ["runs", id, "bundle"], { query: { artifacts: artifacts ? 1 : undefined } });

  approvals = (query: { state?: "open" | "decided" | "all"; session?: string; limit?: number } = {}) =>
    this.#get<api.ApiApprovals>(["approvals"], query);
  approval = (id: string) => this.#get<api.ApiApproval>(["approvals", id]);
  /** Answers an approval request. `inputHash` is the hash in the request that the user saw. */
  answer = (id: string, answer: api.ApiAnswer) =>
    this.#http.json<api.ApiAnswered>("POST", ["approvals", id, "answer"], { body: answer });

  /** Returns the rules with their `version`, which `changeRules` needs. */
  async rules(): Promise<api.ApiRules & { readonly version: string }> {
    const response = await this.#http.send("GET", ["rules"]);
    const rules = (await response.json()) as api.ApiRules;
    return { ...rules, version: response.headers.get("etag") ?? "" };
  }

  changeRules = (rules: api.ApiRules["rules"], version: string) =>
    this.#http.json<api.ApiRules>("PUT", ["rules"], { body: { rules }, headers: { "if-match": version } });
  previewRules = (rules: api.ApiRules["rules"], over?: number) =>
    this.#http.json<api.ApiRulePreview>("POST", ["rules", "preview"], { body: { rules, ...(over && { over }) } });
  permissions = () => this.#get<api.ApiPermissions>(["permissions"]);
  forgetPermission = (id: string) => this.#http.json<api.ApiPermission>("DELETE", ["permissions", id]);

  testRuns = (query: { agent?: string; cursor?: string; limit?: number } = {}) =>
    this.#get<api.ApiTestRuns>(["tests", "runs"], query);
  testRun = (id: string) => this.#get<api.ApiTestRun>(["tests", "runs", id]);
  /** Returns a test run without its trials' messages, which are large. `testCase` returns the messages for one case. */
  testRunOverview = (id: string) => this.#get<api.ApiTestRunOverview>(["tests", "runs", id, "overview"]);
  testCase = (id: string, name: string) => this.#get<api.ApiTestCase>(["tests", "runs", id, "case"], { name });
  compareTests = (a: string, b: string) => this.#get<api.ApiComparison>(["tests", "compare"], { a, b });
  startTests = (plan: { agent: string; cases?: readonly string[]; trials?: number; parallel?: number }) =>
    this.#http.json<api.ApiStartedTests>("POST", ["tests", "runs"], { body: plan });
  /** Yields the progress of a test run until it has ended. Reconnects automatically until the signal is aborted. */
  followTests = (id: string, options: ReconnectOptions = {}): AsyncGenerator<TestRunNews> =>
    followTests(this.#http, id, options);
  /** Yields the progress of a test run like `followTests`, without the messages of the trials. */
  followTestOverview = (id: string, options: ReconnectOptions = {}): AsyncGenerator<TestOverviewNews> =>
    followTests(this.#http, id, { ...options, query: { overview: "1" } });
  stopTests = (id: string) => this.#http.json<{ id: string }>("POST", ["tests", "runs", id, "stop"], { body: {} });

  documents = (agent: string, tool?: string) => this.#get<api.ApiDocuments>(["documents"], { agent, tool });
  searchDocuments = (query: { agent: string; query: string; tool?: string; topK?: number; mode?: string }) =>
    this.#get<api.ApiFoundDocuments>(["documents", "search"], query);
  documentChunks = (tool: string, query: { agent: string; file: string }) =>
    this.#get<api.ApiDocumentChunks>(["documents", tool, "chunks"], query);
  indexDocuments = (options: { agent: string; tool?: string; rebuild?: boolean }) =>
    this.#http.json<api.ApiIndexedDocuments>("POST", ["documents", "index"], { body: options });

  /** Returns a summary of what Bridle knows about the project's data. */
  dataContext = () => this.#get<api.ApiDataContext>(["context"]);
  tables = (query: { cursor?: string; limit?: number } = {}) => this.#get<api.ApiTables>(["context", "tables"], query);
  table = (table: string) => this.#get<api.ApiTable>(["context", "table"], { table });
  joins = (query: { table?: string; review?: boolean } = {}) => this.#get<api.ApiJoins>(["context", "joins"], query);
  metrics = () => this.#get<api.ApiMetrics>(["context", "metrics"]);
  /** Returns the SQL statement that computes these measures by these dimensions. */
  planMetrics = (measures: readonly string[], dimensions: readonly string[] = []) =>
    this.#get<api.ApiMetricPlan>(["context", "metrics", "plan"], {
      measures: measures.join(","),
      dimensions: dimensions.length === 0 ? undefined : dimensions.join(","),
    });
  pages = () => this.#get<api.ApiPages>(["context", "pages"]);
  page = (page: string) => this.#get<api.ApiPage>(["context", "page"], { page });
  contradictions = () => this.#get<api.ApiContradictions>(["context", "contradictions"]);
  /** Explains why a fact is known, such as `orders.sold`. */
  why = (key: string) => this.#get<api.ApiExplained>(["context", "why"], { key });
  searchContext = (query: { query: string; limit?: number; mode?: "keyword" }) =>
    this.#get<api.ApiFoundContext>(["context", "search"], query);

  /** Returns a stored text, such as the full result of a tool. */
  artifact = async (sha256: string) => (await this.#http.send("GET", ["artifacts", sha256])).text();

  #get<T>(
    path: readonly string[],
    query: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ): Promise<T> {
    return this.#http.json<T>("GET", path, { query });
  }
}

function newKey(key: string = crypto.randomUUID()): { "idempotency-key": string } {
  return { "idempotency-key": key };
}
