import type { AgentRun, AgentSession, Prompt, SendOptions } from "@bridle/protocol";
import type { RunLimits } from "./session-request.ts";

/** A session with limits for every run that has none itself. It forwards everything else. */
export class LimitedSession implements AgentSession {
  readonly #session: AgentSession;
  readonly #limits: RunLimits;

  constructor(session: AgentSession, limits: RunLimits) {
    this.#session = session;
    this.#limits = limits;
  }

  get id(): string {
    return this.#session.id;
  }

  get totals(): AgentSession["totals"] {
    return this.#session.totals;
  }

  get steps(): number {
    return this.#session.steps;
  }

  send(prompt: Prompt, options?: SendOptions): Promise<AgentRun> {
    return this.#session.send(prompt, { ...this.#limits, ...options });
  }

  async fork(options?: { atStep?: number }): Promise<AgentSession> {
    return new LimitedSession(await this.#session.fork(options), this.#limits);
  }

  refresh(): Promise<void> {
    return this.#session.refresh();
  }

  history(): ReturnType<AgentSession["history"]> {
    return this.#session.history();
  }

  edit(history: Parameters<AgentSession["edit"]>[0]): void {
    this.#session.edit(history);
  }

  compact(strategy: Parameters<AgentSession["compact"]>[0]): Promise<boolean> {
    return this.#session.compact(strategy);
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
