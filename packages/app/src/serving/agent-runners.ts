import { resolve } from "node:path";
import { composePolicies, type PolicyModeName, startTimer } from "@bridle/core";
import type { AgentSession, Logger } from "@bridle/protocol";
import { loadAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentRunner } from "../runs/agent-runner.ts";
import { openRunner } from "../runs/open-runner.ts";
import { noTools } from "./no-tools.ts";
import type { ServedAgent } from "./workspace.ts";

export interface AgentRunnersOptions {
  /** The file of a rehearsal script. */
  readonly rehearse?: string | undefined;
  /** Whether tools may run. If false, every tool call is refused. */
  readonly runsTools: boolean;
  readonly logger: Logger;
  /** How long an agent without runs stays open, in milliseconds. */
  readonly idleMs: number;
}

/** The open agents. Each agent is opened for its first run, and closed when it has been idle for some time. */
export class AgentRunners {
  readonly #context: () => ProjectContext;
  readonly #options: AgentRunnersOptions;
  readonly #open = new Map<string, RunnerInUse>();
  /** Agents that are being closed. `close` waits for them. */
  readonly #closing = new Set<Promise<void>>();

  constructor(context: () => ProjectContext, options: AgentRunnersOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Opens an agent for a run. Call `release` of the result when the run has ended. Throws a BridleError if the agent cannot be opened. */
  async acquire(agent: ServedAgent, mode: PolicyModeName | undefined): Promise<RunnerInUse> {
    const context = this.#context();
    const key = JSON.stringify([agent.id, mode, context.project.settings.policy]);
    let inUse = this.#open.get(key);
    if (inUse === undefined) {
      const opened = this.#openRunner(agent, mode, context);
      inUse = new RunnerInUse(opened, this.#options.idleMs, () => this.#close(key));
      this.#open.set(key, inUse);
    }
    inUse.take();
    try {
      await inUse.opened;
      return inUse;
    } catch (error) {
      if (this.#open.get(key) === inUse) this.#open.delete(key); // the next run tries again
      throw error;
    }
  }

  /** Stops the runs in progress. */
  async close(): Promise<void> {
    for (const key of [...this.#open.keys()]) this.#close(key);
    await Promise.all(this.#closing);
  }

  #close(key: string): void {
    const inUse = this.#open.get(key);
    this.#open.delete(key);
    if (inUse === undefined) return;
    const closing = inUse.close().catch((error: unknown) => {
      this.#options.logger.warn({ error }, "an agent could not be closed");
    });
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  async #openRunner(
    { file }: ServedAgent,
    mode: PolicyModeName | undefined,
    context: ProjectContext,
  ): Promise<AgentRunner> {
    const { rehearse, runsTools, logger } = this.#options;
    const agent =
      file === undefined ? undefined : await loadAgentFile(resolve(context.project.projectDir, file), context);
    const effects = { logger, approve: "event-log", eventLog: "project", unattended: true } as const;
    const runner = await openRunner({ agent, tools: [], mode, rehearse }, context, effects);
    if (runsTools) return runner;
    return { ...runner, request: { ...runner.request, policy: composePolicies(runner.request.policy, noTools) } };
  }
}

/** An agent that is open. */
export class RunnerInUse {
  readonly opened: Promise<AgentRunner>;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #users = 0;
  #cancelClose: () => void = () => {};

  constructor(opened: Promise<AgentRunner>, idleMs: number, onIdle: () => void) {
    this.opened = opened;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  take(): void {
    this.#users += 1;
    this.#cancelClose();
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#cancelClose = startTimer(this.#idleMs, this.#onIdle);
  }

  /**
   * Opens the session for one run. Sessions are not cached: that would keep the history of every session in memory, and miss
   * changes to its events between runs.
   */
  async openSession(id: string, model?: string): Promise<AgentSession> {
    const { runtime, request } = await this.opened;
    return runtime.openSession({ ...request, ...(model !== undefined && { model }), id });
  }

  async close(): Promise<void> {
    this.#cancelClose();
    const runner = await this.opened.catch(() => undefined);
    await runner?.close();
  }
}
