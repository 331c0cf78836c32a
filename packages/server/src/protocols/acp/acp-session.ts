/** One session of an editor. Its prompts are runs, and its history is read from the event log. */
import {
  type AgentConnection,
  methods,
  RequestError,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { fitOnLine } from "@bridle/app";
import type { RunToStart, ServedRun, Workspace } from "@bridle/app/serving";
import {
  type Approval,
  type PromptMessage,
  promptText,
  type RunEvent,
  type RunResult,
  toApproval,
} from "@bridle/protocol";
import { runMode, type SessionModeName } from "./modes.ts";
import { OpenQuestions } from "./open-questions.ts";
import { failedRequest, toAcpError } from "./request-errors.ts";
import { SessionUpdates } from "./session-updates.ts";
import { transcriptUpdates } from "./transcript-updates.ts";

export interface AcpSessionOptions {
  readonly id: string;
  readonly workspace: Workspace;
  readonly connection: AgentConnection;
  readonly agent: string;
  readonly mode: SessionModeName;
  /** The name that is recorded with answers. */
  readonly by: string;
  readonly notices: boolean;
  /** Called if an answer could not be stored. */
  onFailure(error: unknown): void;
}

export class AcpSession {
  agent: string;
  mode: SessionModeName;
  readonly id: string;
  readonly #workspace: Workspace;
  readonly #connection: AgentConnection;
  readonly #updates: SessionUpdates;
  readonly #questions: OpenQuestions;
  readonly #onFailure: (error: unknown) => void;
  #turn: Turn | undefined;
  #isTitled = false;

  constructor({ id, workspace, connection, agent, mode, by, notices, onFailure }: AcpSessionOptions) {
    this.id = id;
    this.agent = agent;
    this.mode = mode;
    this.#workspace = workspace;
    this.#connection = connection;
    this.#onFailure = onFailure;
    this.#updates = new SessionUpdates({ notices });
    this.#questions = new OpenQuestions({ sessionId: id, connection, workspace, calls: this.#updates.calls, by });
  }

  /** Whether a prompt is in progress. */
  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** Sends the recorded events without text deltas. */
  async load(events: readonly RunEvent[], { isShown }: { readonly isShown: boolean }): Promise<void> {
    this.#isTitled = events.length > 0;
    const updates = transcriptUpdates(events, this.#updates.calls);
    if (isShown) await this.#send(updates);
  }

  /** Resolves when the run of the prompt has ended. Throws RequestError. */
  async prompt(message: PromptMessage): Promise<StopReason> {
    if (this.#turn !== undefined) {
      throw RequestError.invalidRequest(
        undefined,
        "A prompt of this session is in progress. Wait for its end, or cancel it.",
      );
    }
    const turn = new Turn();
    this.#turn = turn;
    try {
      await this.#askOrphans();
      if (turn.isCancelled) return "cancelled";
      return await this.#run(message, turn);
    } catch (error) {
      throw toAcpError(error);
    } finally {
      this.#turn = undefined;
    }
  }

  /** Cancels the prompt in progress. Does nothing if there is none. */
  cancel(): void {
    this.#turn?.cancel(this.#workspace);
  }

  async #run(message: PromptMessage, turn: Turn): Promise<StopReason> {
    const { id, agent, mode } = this;
    const run = { agent, session: id, prompt: [message], mode: runMode(mode), whenBusy: "wait" as const };
    const started = await turn.begin(run, this.#workspace);
    if (started === undefined) return "cancelled";
    await this.#sendTitle(message);
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, this.#connection.signal]);
    try {
      for await (const page of this.#workspace.events.follow(id, started.firstSeq - 1, signal)) {
        for (const event of page) {
          await this.#show(event);
          if (event.type === "run.finished" && event.runId === started.runId) return toStopReason(event.result);
        }
      }
    } finally {
      left.abort();
    }
    return "cancelled";
  }

  async #show(event: RunEvent): Promise<void> {
    await this.#send(this.#updates.add(event));
    if (event.type === "approval.requested") void this.#ask(toApproval(event));
    if (event.type === "approval.decided") this.#questions.withdraw(event.approvalId);
  }

  /** Asks a question. The run continues only after an answer. If the answer cannot be stored, others can still answer the question. */
  async #ask(approval: Approval): Promise<void> {
    try {
      await this.#questions.ask(approval);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Asks the questions of runs that ended without an answer, for example after a crash. The next run uses the answers. */
  async #askOrphans(): Promise<void> {
    const open = await this.#workspace.eventLog.approvals.open();
    const orphans = open.filter(({ sessionId, alive }) => sessionId === this.id && !alive);
    await Promise.all(orphans.map((approval) => this.#ask(approval)));
  }

  async #send(updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates) {
      await this.#connection.client.notify(methods.client.session.update, { sessionId: this.id, update });
    }
  }

  /** Sends the first words of a session as its title in the editor's list. */
  async #sendTitle(message: PromptMessage): Promise<void> {
    if (this.#isTitled) return;
    this.#isTitled = true;
    await this.#send([{ sessionUpdate: "session_info_update", title: fitOnLine(promptText(message), maxTitleLength) }]);
  }
}

/**
 * A prompt in progress. It can be cancelled before its run has started, because the run may be waiting for another run of the session.
 */
class Turn {
  readonly #cancelled = Promise.withResolvers<undefined>();
  #isCancelled = false;
  #runId: string | undefined;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Returns `undefined` if the prompt is cancelled first. The run then ends as soon as it starts. */
  begin(run: RunToStart, workspace: Workspace): Promise<ServedRun | undefined> {
    const starting = workspace.runs.start(run).then((started) => {
      this.#runId = started.runId;
      if (this.#isCancelled) this.cancel(workspace);
      return started;
    });
    return Promise.race([starting, this.#cancelled.promise]);
  }

  cancel({ runs }: Workspace): void {
    this.#isCancelled = true;
    if (this.#runId === undefined) this.#cancelled.resolve(undefined);
    else runs.stop(this.#runId, cancelled);
  }
}

const cancelled = "cancelled in the editor";

/** The maximum length of a title. */
const maxTitleLength = 80;

/** Converts the result of a run to a stop reason. Throws RequestError for a failed run. */
function toStopReason({ stopReason, error }: RunResult): StopReason {
  switch (stopReason) {
    case "natural":
      return "end_turn";
    case "budget":
      return "max_turn_requests";
    case "stopped":
      return "cancelled";
    case "error":
      throw failedRequest(error ?? { code: "unknown", message: "The run failed.", retryable: false });
  }
}
