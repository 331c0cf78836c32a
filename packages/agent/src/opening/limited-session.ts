import type { AgentRun, AgentSession, Prompt, SendOptions } from "@bridle/protocol";
import { type FileOptions, withFileOptions } from "./file-options.ts";

/** A session that applies the settings of the agent file to every run, and forwards everything else. */
export class LimitedSession implements AgentSession {
  readonly #session: AgentSession;
  readonly #ofFile: FileOptions;

  constructor(session: AgentSession, ofFile: FileOptions) {
    this.#session = session;
    this.#ofFile = ofFile;
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
    return this.#session.send(prompt, withFileOptions(options, this.#ofFile));
  }

  async fork(options?: { atStep?: number }): Promise<AgentSession> {
    return new LimitedSession(await this.#session.fork(options), this.#ofFile);
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
