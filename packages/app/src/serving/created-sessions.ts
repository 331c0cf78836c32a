import { newSessionId, sessionIdPattern } from "@bridle/core";
import { type EventLog, InvalidRequestError } from "@bridle/protocol";
import { z } from "zod";
import type { RepeatedRequests } from "./repeated-requests.ts";
import { SessionExistsError } from "./serving-errors.ts";
import type { ServingState, SessionNote, UnbegunQuery } from "./serving-state.ts";
import type { ServedAgents, ServedSessions, SessionToCreate } from "./workspace.ts";

export interface CreatedSessionsOptions {
  readonly agents: ServedAgents;
  readonly eventLog: Pick<EventLog, "read">;
  readonly state: ServingState;
  readonly requests: RepeatedRequests;
  /** Called when a session has been removed. */
  onRemoved(id: string): void;
}

const planSchema = z.object({ id: z.string() });
const resultSchema = z.object({
  id: z.string(),
  agent: z.string(),
  labels: z.record(z.string(), z.string()),
  createdAt: z.int(),
});

/** Sessions that are created before their first run, and the agent of each session. */
export class CreatedSessions implements ServedSessions {
  readonly #options: CreatedSessionsOptions;

  constructor(options: CreatedSessionsOptions) {
    this.#options = options;
  }

  async create(session: SessionToCreate): Promise<SessionNote> {
    const { state, requests } = this.#options;
    const id = session.id ?? newSessionId();
    if (!sessionIdPattern.test(id)) {
      throw new InvalidRequestError(
        "The id of a session has 1 to 128 letters, digits, dots, - and _, and cannot be . or .. alone. Choose another.",
      );
    }
    const agent = this.#options.agents.choose(session.agent).id;
    const begin = (plan: { readonly id: string }) => this.#add(plan.id, agent, session.labels ?? {});
    if (session.key === undefined) return begin({ id });
    const find = async (plan: { readonly id: string }) => state.session(plan.id);
    return requests.once("session", session.key, { plan: { id }, planSchema, resultSchema, find, begin });
  }

  find(id: string): SessionNote | undefined {
    return this.#options.state.session(id);
  }

  agentsOf(ids: readonly string[]): ReadonlyMap<string, string> {
    return this.#options.state.agentsOf(ids);
  }

  withoutRun(query: UnbegunQuery): readonly SessionNote[] {
    return this.#options.state.sessionsWithoutRun(query);
  }

  remove(id: string): void {
    this.#options.state.removeSession(id);
    this.#options.onRemoved(id);
  }

  async #add(id: string, agent: string, labels: Readonly<Record<string, string>>): Promise<SessionNote> {
    const { eventLog, state } = this.#options;
    if ((await eventLog.read({ sessionId: id, limit: 1 })).length > 0) throw new SessionExistsError(id);
    const added = state.addSession(id, agent, labels);
    if (added === undefined) throw new SessionExistsError(id);
    return added;
  }
}
