import { randomUUID } from "node:crypto";
import {
  BackendCrashError,
  type Conversation,
  type ConversationSpec,
  isBridleError,
  type Message,
  type PromptContext,
  StoppedError,
  type ToolDeclaration,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
  UsageLimitError,
} from "@bridle/protocol";
import type { CopilotSession, PermissionRequest, ProviderConfig, SessionConfig, Tool } from "@github/copilot-sdk";
import { objectTool } from "../boundary/object-tool.ts";
import { sessionOptions } from "../boundary/session-options.ts";
import { StartCheck } from "../boundary/start-check.ts";
import { copilotAdditions } from "../features.ts";
import { joinTexts, toBinaryResult, toBlobAttachment, writeSessionHistory } from "../history/history-file.ts";
import type { RuntimeProcess } from "../process/runtime-process.ts";
import { CopilotTurn, type CopilotTurnOptions } from "./turn.ts";

type TurnFacts = Pick<CopilotTurnOptions, "facts" | "priceOf" | "contextWindow" | "idleTimeoutMs" | "maxAttempts">;

export interface ConversationParts extends TurnFacts {
  readonly spec: ConversationSpec;
  /** The model service of the key; undefined if the runtime's login pays. */
  readonly provider: ProviderConfig | undefined;
  readonly runtime: RuntimeProcess;
}

/** Opens a session in the runtime, with the spec's history. */
export async function openCopilotConversation(parts: ConversationParts, signal: AbortSignal): Promise<Conversation> {
  const conversation = new CopilotConversation(parts);
  await conversation.open(signal);
  return conversation;
}

/** The interface's functions are fields, because a copy with `...` keeps only own properties. */
class CopilotConversation implements Conversation {
  readonly promptContext: PromptContext;
  readonly #parts: ConversationParts;
  #id = randomUUID();
  readonly #tools: ReadonlySet<string>;
  readonly #check: StartCheck;
  #session: CopilotSession | undefined;
  #turn: CopilotTurn | undefined;
  #turnCount = 0;
  #isClosed = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#tools = new Set(parts.spec.tools.map(({ name }) => name));
    this.#check = new StartCheck(parts.spec);
    this.promptContext = { implicitSources: [], hostAdds: copilotAdditions(parts.spec, parts.provider) };
    void parts.runtime.crash.then((error) => this.#turn?.fail(error));
  }

  async open(signal: AbortSignal): Promise<void> {
    const { spec, runtime } = this.#parts;
    const { client, folders } = runtime;
    try {
      if (spec.history.length === 0) {
        this.#session = await client.createSession({ ...this.#config(), sessionId: this.#id });
      } else {
        const target = { sessionId: this.#id, base: folders.base, workingDirectory: folders.work, model: spec.model };
        await writeSessionHistory(spec.history, target);
        this.#session = await client.resumeSession(this.#id, { ...this.#config(), suppressResumeEvent: true });
      }
      await this.#checkTools(this.#session);
      signal.throwIfAborted();
      if (this.#isClosed) throw new StoppedError("The conversation was closed.");
    } catch (error) {
      await this.close();
      if (signal.aborted) throw new StoppedError("The conversation was stopped before it was open.");
      throw toBridleError(error);
    }
  }

  readonly turn = async (input: Message, context: TurnContext): Promise<TurnEnd> => {
    this.#turnCount += 1;
    for (;;) {
      const turn = this.#begin(context);
      if (!turn.isOver) await this.#send(input).catch((error: unknown) => turn.fail(toBridleError(error)));
      try {
        return await turn.end;
      } catch (error) {
        const isWhole = this.#turnCount === 1 && !turn.hasBegun; // then the spec contains everything that the model got
        if (!(error instanceof UsageLimitError) || !isWhole) throw error;
        await this.#leave();
        await context.awaitLimit(error);
        await this.#reopen(context.signal);
      }
    }
  };

  readonly close = async (): Promise<void> => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#turn?.fail(new StoppedError("The conversation was closed."));
    await this.#leave();
  };

  /** Removes the session from the runtime. */
  async #leave(): Promise<void> {
    const { runtime } = this.#parts;
    if (!runtime.isRunning) return;
    await this.#session?.disconnect().catch(() => {});
    await runtime.client.deleteSession(this.#id).catch(() => {}); // this fails if the session was never opened
    this.#session = undefined;
  }

  /** Opens a new session for the prompt, because the history of a failed session already contains the prompt. */
  async #reopen(signal: AbortSignal): Promise<void> {
    this.#id = randomUUID();
    await this.open(signal);
  }

  #begin(context: TurnContext): CopilotTurn {
    const { spec, runtime, ...facts } = this.#parts;
    const session = this.#session;
    if (!session || !runtime.isRunning) throw new BackendCrashError("Copilot's runtime is not running. Try again.");
    const turn = new CopilotTurn({
      ...facts,
      context,
      stepBudget: spec.stepBudget,
      maxCostUsd: spec.maxCostUsd,
      tools: this.#tools,
      ping: async () => void (await runtime.client.ping().catch(() => {})),
      abort: () => session.abort().catch(() => {}),
    });
    this.#turn = turn;
    return turn;
  }

  async #send({ content }: Message): Promise<void> {
    const images = content.filter((part) => part.type === "image").map(toBlobAttachment);
    await this.#session?.send({ prompt: joinTexts(content), ...(images.length > 0 && { attachments: images }) });
  }

  #config(): SessionConfig {
    const { spec, provider, runtime } = this.#parts;
    const object = spec.outputSchema && objectTool(spec.outputSchema, (value) => this.#turn?.takeObject(value));
    return {
      ...sessionOptions(spec, provider, runtime.folders),
      tools: [...spec.tools.map((tool) => this.#toTool(tool)), ...(object ? [object] : [])],
      onPermissionRequest: (request) => this.#answer(request),
      onEvent: (event) => this.#receive(event),
    };
  }

  /** Checks the tools. The runtime reports them only after it has prepared them. */
  async #checkTools(session: CopilotSession): Promise<void> {
    await session.rpc.tools.initializeAndValidate();
    const { tools } = await session.rpc.tools.getCurrentMetadata();
    const violation = this.#check.compareTools(tools?.map(({ name }) => name));
    if (violation) throw violation;
  }

  #receive(event: unknown): void {
    const violation = this.#check.read(event);
    if (violation) this.#turn?.fail(violation);
    else this.#turn?.receive(event);
  }

  #toTool({ name, description, inputSchema }: ToolDeclaration): Tool {
    return {
      name,
      description,
      parameters: inputSchema,
      defer: "never",
      overridesBuiltInTool: true, // one of our tools may have the name of a runtime tool
      handler: async (_input, { toolCallId }) => toResult(await this.#callTool(toolCallId)),
    };
  }

  async #callTool(callId: string): Promise<ToolReply> {
    if (this.#turn) return await this.#turn.callTool(callId);
    return { output: "No turn is running; the call was not executed.", isError: true };
  }

  /**
   * Answers a permission request, as a second lock: only our tools may ask. The engine applies the rules to each call when the runtime
   * makes it.
   */
  #answer(request: PermissionRequest): { kind: "approve-once" } | { kind: "reject" } {
    const isOurs = request.kind === "custom-tool" && this.#check.offers(request.toolName);
    return isOurs ? { kind: "approve-once" } : { kind: "reject" };
  }
}

/** Converts a reply to a success, because only then does the runtime pass its text to the model unchanged (observed on 1.0.14). */
function toResult({ output, images = [] }: ToolReply) {
  return {
    textResultForLlm: output,
    resultType: "success" as const,
    ...(images.length > 0 && { binaryResultsForLlm: images.map(toBinaryResult) }),
  };
}

function toBridleError(error: unknown): Error {
  if (isBridleError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BackendCrashError(`Copilot's runtime failed: ${reason}`, { cause: error });
}
