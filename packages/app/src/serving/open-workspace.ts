import { type Logger, silentLogger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { AgentRunners } from "./agent-runners.ts";
import { AgentRuns } from "./agent-runs.ts";
import { BackgroundJobs } from "./background-jobs.ts";
import { CreatedSessions } from "./created-sessions.ts";
import { SessionViewers } from "./event-pages.ts";
import { RepeatedRequests } from "./repeated-requests.ts";
import { RunSlots } from "./run-slots.ts";
import { findServedAgents } from "./served-agents.ts";
import { ServedRules } from "./served-rules.ts";
import { ServingState } from "./serving-state.ts";
import type { Workspace } from "./workspace.ts";

export interface WorkspaceOptions {
  /** The agent files. Default: the files in the usual places of the project, or else the project's model. */
  readonly agents?: readonly string[] | undefined;
  /** The rehearsal script's file. The script replaces every model. */
  readonly rehearse?: string | undefined;
  /** Whether tools may run. If false, every tool call is refused. Default: true. */
  readonly runsTools?: boolean | undefined;
  readonly logger?: Logger | undefined;
  /** How long an agent without runs stays open, in milliseconds. Default: ten minutes. */
  readonly idleMs?: number | undefined;
  /** The slots for runs in progress. Several workspaces can share them. Default: 32 slots for this workspace. */
  readonly slots?: RunSlots | undefined;
  /** The rules, which several workspaces may share. Default: this workspace's own. */
  readonly rules?: ServedRules | undefined;
}

/** A workspace that can be closed. */
export interface OpenWorkspace extends Workspace {
  /** Whether a run or a job is in progress, or a client is following a session. */
  readonly isInUse: boolean;
  /**
   * Starts no more runs and jobs, waits `graceMs` for those in progress, and then stops them. Everything else still works, such as
   * answering questions. Unanswered questions stay open.
   */
  end(graceMs: number): Promise<void>;
  /** Ends the workspace and closes everything. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Opens the workspace of one user of a server. Agents are opened later, for their first run.
 *
 * @throws ConfigError or StoreError. Nothing is left open then.
 */
export async function openWorkspace(
  context: ProjectContext,
  {
    agents: files = [],
    rehearse,
    runsTools = true,
    logger = silentLogger,
    idleMs = 600_000,
    slots = new RunSlots(32),
    rules = new ServedRules(),
  }: WorkspaceOptions = {},
): Promise<OpenWorkspace> {
  const current = rules.follow(context);
  const agents = await findServedAgents(files, context);
  const eventLog = await context.project.openEventLog({ creates: true });
  const state = new ServingState(context.project.folder, Date.now);
  const requests = new RepeatedRequests(state);
  const runners = new AgentRunners(current, { rehearse, runsTools, logger, idleMs });
  const share = slots.share();
  const runs = new AgentRuns({ agents, runners, eventLog, state, requests, share });
  const jobs = new BackgroundJobs(share);
  const events = new SessionViewers(eventLog);
  const onRemoved = (id: string) => events.noteRemoval(id);
  const sessions = new CreatedSessions({ agents, eventLog, state, requests, onRemoved });
  const opened: (() => Promise<void>)[] = [];
  let ended: Promise<unknown> | undefined;
  const end = async (graceMs: number) => {
    ended ??= Promise.all([runs.end(graceMs), jobs.end(graceMs)]); // does not wait again for runs and jobs that did not stop in time
    await ended;
  };
  return {
    eventLog,
    agents,
    sessions,
    runs,
    rehearse,
    runsTools,
    events,
    jobs,
    end,
    once: (key, work) => requests.perform(key, work),
    onClose: (close) => void opened.push(close),
    get context() {
      return current();
    },
    adoptRules: () => rules.adopt(context),
    get isInUse() {
      return runs.isInUse || jobs.isInUse || events.isInUse;
    },
    async close(graceMs = 0) {
      await end(graceMs);
      await closeAll([...opened.splice(0), () => runners.close(), async () => state.close(), () => eventLog.close()]);
    },
  };
}

/** Closes everything in order, even if one close fails, and then throws the first error. */
async function closeAll(closes: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closes) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
