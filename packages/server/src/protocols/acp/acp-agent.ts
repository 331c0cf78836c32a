/** The agent side of the Agent Client Protocol: handles an editor's requests. */
import { isAbsolute, relative } from "node:path";
import {
  type AgentApp,
  type AgentConnection,
  agent as createAgentApp,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  methods,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  type PromptRequest,
  RequestError,
  type ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import type { Workspace } from "@bridle/app/serving";
import { listSessions, newSessionId, readWithoutDeltas } from "@bridle/app/sessions";
import { removeWhenFree } from "../../api/remove-when-free.ts";
import { AcpSession } from "./acp-session.ts";
import { agentOptions, parseAgentOption } from "./agent-option.ts";
import { describeModes, parseMode, type SessionModeName } from "./modes.ts";
import { toMessage } from "./prompt-blocks.ts";
import { toAcpError } from "./request-errors.ts";

export interface AcpAgentOptions {
  readonly workspace: Workspace;
  /** The mode of new sessions. Default: the mode that the files set. */
  readonly mode?: SessionModeName | undefined;
  /** Whether the user has selected the project explicitly. Then the sessions can have any working directory. */
  readonly isAnywhere: boolean;
  /** The name that is recorded with answers. */
  readonly by: string;
  /** Called with messages for the editor's log. */
  onWarning(sentence: string): void;
}

/** The number of sessions in one page of the list. */
const pageLength = 50;

export class AcpAgent {
  readonly #options: AcpAgentOptions;
  readonly #sessions = new Map<string, AcpSession>();
  #connection: AgentConnection | undefined;
  #notices = false;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  /** Creates the app with the supported requests. Connect it only once. */
  createApp(): AgentApp {
    const { session } = methods.agent;
    return createAgentApp({ name: "bridle" })
      .onConnect((connection) => {
        this.#connection = connection;
      })
      .onRequest(methods.agent.initialize, ({ params }) => this.#initialize(params))
      .onRequest(session.new, ({ params }) => explained(() => this.#create(params)))
      .onRequest(session.load, ({ params }) => explained(() => this.#open(params, { isShown: true })))
      .onRequest(session.resume, ({ params }) => explained(() => this.#open(params, { isShown: false })))
      .onRequest(session.list, ({ params }) => explained(() => this.#list(params)))
      .onRequest(session.close, ({ params }) => this.#close(params.sessionId))
      .onRequest(session.delete, ({ params }) => explained(() => this.#delete(params.sessionId)))
      .onRequest(session.setMode, ({ params }) => this.#setMode(params.sessionId, params.modeId))
      .onRequest(session.setConfigOption, ({ params }) => explained(() => this.#setOption(params)))
      .onRequest(session.prompt, ({ params, signal }) => this.#prompt(params, signal))
      .onNotification(session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  #initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#notices = Boolean(clientCapabilities?.session?.notices);
    const { version } = this.#options.workspace.context;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "bridle", title: "Bridle", version },
      authMethods: [],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
    };
  }

  async #create(request: NewSessionRequest) {
    this.#check(request);
    const session = this.#add(newSessionId());
    return { sessionId: session.id, ...this.#state(session) };
  }

  async #open(request: ResumeSessionRequest, { isShown }: { readonly isShown: boolean }) {
    this.#check(request);
    const { sessionId } = request;
    const known = this.#sessions.get(sessionId);
    if (known?.isBusy) throw RequestError.invalidRequest(undefined, "A prompt of this session is in progress.");
    const events = await readWithoutDeltas(this.#options.workspace.eventLog, sessionId);
    if (events.length === 0 && known === undefined) throw RequestError.sessionNotFound(sessionId);
    const session = this.#add(sessionId, known);
    await session.load(events, { isShown });
    return this.#state(session);
  }

  async #list({ cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { eventLog, context } = this.#options.workspace;
    const from = Number.parseInt(cursor ?? "0", 10);
    if (!(from >= 0)) throw RequestError.invalidParams(undefined, "The cursor is not one of this list.");
    const { sessions } = await listSessions(eventLog, { last: from + pageLength + 1 });
    const page = sessions.slice(from, from + pageLength);
    return {
      sessions: page.map(({ id, firstWords, lastAt }) => ({
        sessionId: id,
        cwd: context.cwd,
        title: firstWords,
        updatedAt: lastAt,
      })),
      nextCursor: sessions.length > from + pageLength ? String(from + pageLength) : null,
    };
  }

  #close(id: string): Record<string, never> {
    const session = this.#get(id);
    session.cancel();
    this.#sessions.delete(id);
    return {};
  }

  async #delete(id: string): Promise<Record<string, never>> {
    this.#sessions.get(id)?.cancel();
    await removeWhenFree(id, this.#options.workspace);
    this.#sessions.delete(id);
    return {};
  }

  #setMode(id: string, modeId: string): Record<string, never> {
    this.#get(id).mode = parseMode(modeId, this.#firstMode);
    return {};
  }

  async #setOption({ sessionId, configId, value }: { sessionId: string; configId: string; value: unknown }) {
    const session = this.#get(sessionId);
    const { agents } = this.#options.workspace;
    session.agent = parseAgentOption(configId, value, agents);
    return { configOptions: agentOptions(agents, session.agent) };
  }

  async #prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal) {
    const session = this.#get(sessionId);
    const onAbort = () => session.cancel();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return { stopReason: await session.prompt(toMessage(prompt)) };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Checks the working directory, because a process serves one project. Ignores the editor's MCP servers, because the agent file defines
   * the agent's tools.
   */
  #check({ cwd, mcpServers = [] }: Pick<ResumeSessionRequest, "cwd" | "mcpServers">): void {
    const { workspace, isAnywhere, onWarning } = this.#options;
    const { projectDir } = workspace.context.project;
    if (!isAbsolute(cwd)) throw RequestError.invalidParams(undefined, `The folder "${cwd}" is not an absolute path.`);
    if (!isAnywhere && !isWithin(cwd, projectDir)) {
      const reason = `The folder ${cwd} is not in the project ${projectDir}, which this process serves.`;
      throw RequestError.invalidParams(
        undefined,
        `${reason} Start "bridle acp" there, or name the project with --project-dir.`,
      );
    }
    if (mcpServers.length === 0) return;
    const names = mcpServers.map(({ name }: McpServer) => name).join(", ");
    onWarning(`MCP servers of the editor are not used: ${names}. Add them to the tools of the agent file.`);
  }

  #add(id: string, known?: AcpSession): AcpSession {
    const { workspace, by, onWarning } = this.#options;
    const [first] = workspace.agents.list();
    const session = new AcpSession({
      id,
      workspace,
      connection: this.#client,
      by,
      notices: this.#notices,
      agent: known?.agent ?? first?.id ?? "",
      mode: known?.mode ?? this.#firstMode,
      onFailure: (error) => onWarning(`An answer could not be stored: ${String(error)}`),
    });
    this.#sessions.set(id, session);
    return session;
  }

  #state({ agent, mode }: AcpSession) {
    const configOptions = agentOptions(this.#options.workspace.agents, agent);
    return { modes: describeModes(mode, this.#firstMode), ...(configOptions.length > 0 && { configOptions }) };
  }

  #get(id: string): AcpSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  get #firstMode(): SessionModeName {
    return this.#options.mode ?? "as-configured";
  }

  get #client(): AgentConnection {
    if (this.#connection === undefined) throw new Error("The agent is not connected.");
    return this.#connection;
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toAcpError(error);
  }
}

function isWithin(folder: string, parent: string): boolean {
  const path = relative(parent, folder);
  return path === "" || !(path.startsWith("..") || isAbsolute(path));
}
