/**
 * Hosts that run one rehearsed conversation at a time, each with a separate model server. A worker is reused only if
 * nothing of its last conversation can be left.
 */
import { sha256 } from "@bridle/core";
import {
  type Backend,
  type Conversation,
  type ConversationSpec,
  canonicalJson,
  type HostBackend,
  override,
  StoppedError,
} from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";

/** A host, which may keep processes for later conversations, and its own model server. */
export interface RehearsalWorker {
  readonly host: HostBackend;
  readonly rehearsal: Rehearsal;
}

/** A worker with an ended conversation, and its counters at that moment. */
interface IdleWorker {
  readonly worker: RehearsalWorker;
  /** The kind of conversation that the worker's process can serve. */
  readonly kind: string;
  readonly reused: number;
  readonly requests: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * How long an idle worker waits for its next conversation, in milliseconds. The time is short, because consecutive conversations follow
 * each other immediately, and because the model server of an idle worker keeps this process alive.
 */
const idleMs = 3000;

/**
 * A worker is reused if its conversation ended normally with every answer complete, if the host reset its process to the
 * state before the first message, and if no request has arrived since then or is still open. All other workers are ended.
 * There are never more workers than there were simultaneous conversations.
 */
export class RehearsalWorkers {
  readonly #start: () => Promise<RehearsalWorker>;
  readonly #workers = new Set<RehearsalWorker>();
  readonly #idle: IdleWorker[] = [];
  #active = 0;
  #maxActive = 0;
  #isClosed = false;

  /** `start` creates each worker. */
  constructor(start: () => Promise<RehearsalWorker>) {
    this.#start = start;
  }

  async open(spec: ConversationSpec, signal: AbortSignal): Promise<Conversation> {
    const kind = sha256(canonicalJson(spec));
    this.#maxActive = Math.max(this.#maxActive, ++this.#active);
    try {
      const reopened = await this.#reopen(kind, spec, signal);
      this.#endSurplus();
      const { worker, conversation } = reopened ?? (await this.#openOn(await this.#add(), spec, signal));
      return closedOnce(conversation, (isWhole) => {
        this.#active -= 1;
        return isWhole && worker.rehearsal.isUndisturbed
          ? this.#release(worker, kind, conversation)
          : this.#end(worker);
      });
    } catch (error) {
      this.#active -= 1;
      throw error;
    }
  }

  /** Checks the login with a new worker, which is ended afterwards. */
  async checkAuth(signal?: AbortSignal): ReturnType<Backend["checkAuth"]> {
    const worker = await this.#add();
    return worker.host.checkAuth(signal).finally(() => this.#end(worker));
  }

  /** Ends all workers, and waits until they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#workers].map((worker) => this.#end(worker)));
  }

  async #add(): Promise<RehearsalWorker> {
    const worker = await this.#start();
    this.#workers.add(worker);
    if (!this.#isClosed) return worker;
    await this.#end(worker);
    throw new StoppedError("The backend was closed.");
  }

  async #openOn(worker: RehearsalWorker, spec: ConversationSpec, signal: AbortSignal) {
    try {
      return { worker, conversation: await worker.host.open(spec, signal) };
    } catch (error) {
      await this.#end(worker);
      throw error;
    }
  }

  /** Opens the conversation on an idle worker; undefined if no idle worker is as good as new. */
  async #reopen(kind: string, spec: ConversationSpec, signal: AbortSignal) {
    const idle = this.#acquire(kind);
    if (idle === undefined) return undefined;
    const opened = await this.#openOn(idle.worker, spec, signal); // waits until its process is reset
    if (isAsNew(idle)) {
      idle.worker.rehearsal.reset();
      return opened;
    }
    await this.#end(idle.worker);
    signal.throwIfAborted();
    return undefined;
  }

  /** Takes an idle worker, preferably one that is ready over one whose process is still being reset. */
  #acquire(kind: string): IdleWorker | undefined {
    const suitable = this.#idle.filter((idle) => idle.kind === kind && countProcesses(idle.worker) > 0);
    const found = suitable.findLast(({ worker }) => worker.host.pool?.()?.busy === 0) ?? suitable.at(-1);
    if (found === undefined) return undefined;
    this.#idle.splice(this.#idle.indexOf(found), 1);
    clearTimeout(found.timer);
    return found;
  }

  async #release(worker: RehearsalWorker, kind: string, conversation: Conversation): Promise<void> {
    await conversation.close();
    if (this.#isClosed || !this.#workers.has(worker) || countProcesses(worker) === 0) return this.#end(worker);
    const { host, rehearsal } = worker;
    const idle: IdleWorker = {
      worker,
      kind,
      reused: host.pool?.()?.reused ?? 0,
      requests: rehearsal.requests.length,
      timer: setTimeout(() => this.#dismiss(idle), idleMs),
    };
    this.#idle.push(idle);
    this.#endSurplus();
  }

  #endSurplus(): void {
    const surplus = Math.max(0, this.#active + this.#idle.length - this.#maxActive);
    for (const idle of this.#idle.slice(0, surplus)) this.#dismiss(idle);
  }

  /** Ends a worker without waiting for its end. If this fails, `close()` tries again and reports the failure. */
  #dismiss(idle: IdleWorker): void {
    clearTimeout(idle.timer);
    this.#idle.splice(this.#idle.indexOf(idle), 1);
    this.#end(idle.worker).catch(() => {});
  }

  async #end(worker: RehearsalWorker): Promise<void> {
    await worker.host.close().finally(worker.rehearsal.close);
    this.#workers.delete(worker);
  }
}

/** Counts the processes that wait for a conversation, or are being prepared for one. */
function countProcesses({ host }: RehearsalWorker): number {
  const { idle, busy } = host.pool?.() ?? { idle: 0, busy: 0 };
  return idle + busy;
}

/** Whether the worker's process was reused instead of a new one, and its model server received no request in between. */
function isAsNew({ worker: { host, rehearsal }, reused, requests }: IdleWorker): boolean {
  return host.pool?.()?.reused === reused + 1 && rehearsal.isUndisturbed && rehearsal.requests.length === requests;
}

/** Makes `close()` of the conversation call `close` once. `close` receives whether the last turn ended naturally. */
function closedOnce(conversation: Conversation, close: (isWhole: boolean) => Promise<void>): Conversation {
  let isWhole = true;
  let closing: Promise<void> | undefined;
  return override(conversation, {
    async turn(input, context) {
      isWhole = false;
      const end = await conversation.turn(input, context);
      isWhole = end.reason === "natural";
      return end;
    },
    close: () => (closing ??= close(isWhole)),
  });
}
