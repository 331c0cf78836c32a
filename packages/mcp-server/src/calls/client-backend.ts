import { randomUUID } from "node:crypto";
import {
  type AuthStatus,
  type Backend,
  BackendCrashError,
  type BackendFeatures,
  type Conversation,
  type ConversationSpec,
  type Message,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { z } from "zod";

/** The model's name in the event log. The client's actual model is unknown here. */
export const clientModel = "mcp-client";

/** The maximum length of a result in characters: Claude Code refuses results of more than 25,000 tokens by default. */
const maxResultChars = 60_000;

const features: BackendFeatures = {
  structuredOutput: false,
  history: false,
  parts: ["text"],
  resultImages: true,
  maxOutputTokens: false,
  sampling: false,
  costBudget: false,
  builtins: {},
  hostSettings: ["connection"],
  promptCaching: [],
  maxResultChars,
  degraded: [],
};

/** A turn of a run, consisting of the calls that a client makes until it is done. */
export interface ClientTurn {
  /** Called once, when the run is ready for calls. The turn ends when the promise resolves. */
  take(context: TurnContext): Promise<void>;
}

const settingsSchema = z.object({ connection: z.string() });

/**
 * A host that treats the calls by a server's client as the calls in a model's turn. They thus pass the same checks and rules as on every
 * other host, and are recorded in the same event log.
 */
export class ClientBackend implements Backend {
  readonly id = "mcp-client";
  readonly account = `mcp-client ${randomUUID()}`;
  readonly features = features;
  readonly #turns = new Map<string, ClientTurn>();

  /** Announces the turn of a run. Returns the run's `hostSettings`. */
  expect(turn: ClientTurn): { readonly connection: string } {
    const connection = randomUUID();
    this.#turns.set(connection, turn);
    return { connection };
  }

  /** Removes a turn whose run did not begin. */
  forget({ connection }: { readonly connection: string }): void {
    this.#turns.delete(connection);
  }

  async open({ hostSettings }: ConversationSpec): Promise<Conversation> {
    const { connection } = settingsSchema.catch({ connection: "" }).parse(hostSettings);
    const turn = this.#turns.get(connection);
    this.#turns.delete(connection);
    if (!turn) throw new BackendCrashError("The run belongs to no connection of an MCP client.");
    return new ClientConversation(turn);
  }

  async checkAuth(): Promise<AuthStatus> {
    return { ok: true, mode: "mcp", detail: "The clients of an MCP server use no account here." };
  }

  async close(): Promise<void> {}
}

class ClientConversation implements Conversation {
  readonly promptContext = { implicitSources: [], hostAdds: [] };
  readonly #turn: ClientTurn;

  constructor(turn: ClientTurn) {
    this.#turn = turn;
  }

  async turn(_input: Message, context: TurnContext): Promise<TurnEnd> {
    await this.#turn.take(context);
    return { reason: "natural" };
  }

  async close(): Promise<void> {}
}
