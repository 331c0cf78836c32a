import { Readable, Writable } from "node:stream";
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { getErrorMessage, type ToolContext, type ToolOutput, type TrustedFolder, toJson } from "@bridle/protocol";
import { type ServerProcess, startServer } from "../../processes/child-server.ts";
import { type AcpToolConfig, acpActionName, acpActions } from "./acp-config.ts";

/** How long an agent may take to end after its input was closed, and to end a turn that was cancelled. */
const graceMs = 1500;

/** How many characters of standard error are kept for the error message if the agent ends. */
const lastWordsChars = 500;

/** One call to another program's agent: its process, its session and its only turn. */
export class AcpCall {
  readonly #config: AcpToolConfig;
  readonly #context: ToolContext;
  readonly #trusted: TrustedFolder;
  readonly #texts: string[] = [];
  #server: ServerProcess | undefined;
  #connection: ClientConnection | undefined;
  #lastWords = "";
  #sessionId: string | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(config: AcpToolConfig, trusted: TrustedFolder, context: ToolContext) {
    this.#config = config;
    this.#trusted = trusted;
    this.#context = context;
  }

  /** Rejects with a message for the model if the agent cannot be used. */
  async run(task: string, env: Readonly<Record<string, string | undefined>>): Promise<ToolOutput> {
    const { command, args = [], name } = this.#config;
    const { projectDir, signal } = this.#context;
    const server = await startServer(this.#trusted, { command, args, cwd: projectDir, env });
    this.#server = server;
    server.stderr.on("data", (chunk) => {
      this.#lastWords = `${this.#lastWords}${chunk}`.slice(-lastWordsChars);
    });
    this.#connection = this.#connect(server);
    const ended = server.ended.then((how) => {
      throw new Error(`The agent ${name} ended (${how}). ${this.#lastWords.trim()}`.trim());
    });
    ended.catch(() => {}); // the process may end later than the call
    signal.throwIfAborted();
    signal.addEventListener("abort", this.#cancel, { once: true });
    return await Promise.race([this.#takeTurn(task, this.#connection), ended]);
  }

  /** Ends the process. Never rejects. */
  async close(): Promise<void> {
    this.#context.signal.removeEventListener("abort", this.#cancel);
    clearTimeout(this.#late);
    await this.#server?.end(graceMs);
  }

  #connect({ stdin, stdout }: ServerProcess): ClientConnection {
    const { session } = methods.client;
    return client({ name: "bridle" })
      .onRequest(session.requestPermission, ({ params }) => this.#answer(params))
      .onNotification(session.update, ({ params }) => this.#show(params.update))
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)));
  }

  async #takeTurn(task: string, { agent, signal }: ClientConnection): Promise<ToolOutput> {
    const { projectDir } = this.#context;
    const { name } = this.#config;
    const { session, initialize } = methods.agent;
    try {
      await agent.request(initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} }); // no file access, no terminals
      const { sessionId } = await agent.request(session.new, { cwd: projectDir, mcpServers: [] });
      this.#sessionId = sessionId;
      const { stopReason } = await agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text: task }] });
      const text = this.#texts.join("");
      const structured = { agent: name, stopReason };
      if (stopReason === "end_turn") return { markdown: text, structured };
      return {
        markdown: `The agent ${name} did not finish (${stopReason}).\n\n${text}`.trim(),
        structured,
        isError: true,
      };
    } catch (cause) {
      if (signal.aborted) await this.#server?.end(graceMs); // its output has ended, and its exit status is a better explanation
      throw new Error(`The agent ${name} failed: ${getErrorMessage(cause)}. ${this.#lastWords.trim()}`.trim(), {
        cause,
      });
    }
  }

  /** Cancels the turn. If the agent does not end the turn by itself, its process is ended. */
  #cancel = (): void => {
    const sessionId = this.#sessionId;
    const { cancel } = methods.agent.session;
    if (sessionId !== undefined) void this.#connection?.agent.notify(cancel, { sessionId }).catch(() => {});
    this.#late = setTimeout(() => void this.close(), graceMs);
  };

  #show(update: SessionUpdate): void {
    const { progress } = this.#context;
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      this.#texts.push(update.content.text);
    if (update.sessionUpdate === "tool_call") progress(`→ ${update.title}`);
    if (update.sessionUpdate === "tool_call_update" && update.status === "failed") progress("✗ a call failed");
  }

  /**
   * Answers the agent's request for permission. The rules and the user decide; the agent's description of a call is only displayed. The
   * answer is for this one action: after `allow_always` the agent would not ask again, so an agent that offers nothing else gets
   * `cancelled`.
   */
  async #answer({ toolCall, options }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { authorize, progress } = this.#context;
    const kind = acpActions.find((action) => action === toolCall.kind) ?? "other";
    const tool = acpActionName(this.#config, kind);
    const { title = null, rawInput = null, locations = null } = toolCall;
    const input = toJson({ title, input: rawInput, locations });
    const decision = (await authorize?.({ tool, input, preview: title ?? undefined })) ?? { allow: false, reply: "" };
    const wanted = decision.allow ? ["allow_once"] : ["reject_once", "reject_always"];
    const option = wanted.flatMap((each) => options.find((given) => given.kind === each) ?? [])[0];
    const onlyAlways = decision.allow && !option ? ": the agent cannot be allowed this only once" : "";
    progress(`${decision.allow && option ? "✓" : "✗"} ${tool} ${title ?? ""}`.trim() + onlyAlways);
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  }
}
