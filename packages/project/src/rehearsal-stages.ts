/** Hosts that play one rehearsed conversation at a time, each with a model server to itself, one conversation after another. */
import { sha256 } from "@bridle/core";
import {
  type Backend,
  type Conversation,
  type ConversationSpec,
  canonicalJson,
  type HostBackend,
  StoppedError,
} from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";

/** A host, which may keep processes for the conversations to come, and the model server that is its alone. */
export interface Stage {
  readonly host: HostBackend;
  readonly rehearsal: Rehearsal;
}

export interface Stages {
  open(spec: ConversationSpec, signal: AbortSignal): Promise<Conversation>;
  /** On a stage of its own, which is gone afterwards. */
  checkAuth: Backend["checkAuth"];
  /** Ends every stage, and waits for it. */
  close(): Promise<void>;
}

/** A stage whose conversation has ended, and how things stood then. */
interface Resting {
  readonly stage: Stage;
  /** The conversations that its process can serve. */
  readonly kind: string;
  readonly reused: number;
  readonly requests: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * How long a stage waits for its next conversation. In a row of them the next comes at once; the server of one that waits
 * keeps this process alive.
 */
const restMs = 3000;

/**
 * A stage is used again where nothing can be left of its conversation: that ended as it should, with every answer whole; the
 * host took its process back to before the first message; and no request came since, or is on its way. All others are
 * ended. At most as many are there at a time as there were conversations at a time.
 */
export function createStages(set: () => Promise<Stage>): Stages {
  const stages = new Set<Stage>();
  const resting: Resting[] = [];
  let playing = 0;
  let most = 0;
  let closed = false;

  async function setStage(): Promise<Stage> {
    const stage = await set();
    stages.add(stage);
    if (!closed) return stage;
    await end(stage);
    throw new StoppedError("The backend was closed.");
  }

  async function openOn(stage: Stage, spec: ConversationSpec, signal: AbortSignal) {
    try {
      return { stage, conversation: await stage.host.open(spec, signal) };
    } catch (error) {
      await end(stage);
      throw error;
    }
  }

  async function openAgain(kind: string, spec: ConversationSpec, signal: AbortSignal) {
    const rested = wake(kind);
    if (rested === undefined) return undefined;
    const opened = await openOn(rested.stage, spec, signal); // waits until its process is back at the beginning
    if (isAsNew(rested)) {
      rested.stage.rehearsal.reset();
      return opened;
    }
    await end(rested.stage);
    signal.throwIfAborted();
    return undefined;
  }

  /** One that is ready rather than one that still goes back. */
  function wake(kind: string): Resting | undefined {
    const fitting = resting.filter((rested) => rested.kind === kind && processesOf(rested.stage) > 0);
    const found = fitting.findLast(({ stage }) => stage.host.pool?.()?.busy === 0) ?? fitting.at(-1);
    if (found === undefined) return undefined;
    resting.splice(resting.indexOf(found), 1);
    clearTimeout(found.timer);
    return found;
  }

  async function leave(stage: Stage, kind: string, conversation: Conversation): Promise<void> {
    await conversation.close();
    if (closed || !stages.has(stage) || processesOf(stage) === 0) return end(stage);
    const { host, rehearsal } = stage;
    const rested: Resting = {
      ...{ stage, kind, reused: host.pool?.()?.reused ?? 0, requests: rehearsal.requests.length },
      timer: setTimeout(() => dismiss(rested), restMs),
    };
    resting.push(rested);
    makeRoom();
  }

  function makeRoom(): void {
    for (const rested of resting.slice(0, Math.max(0, playing + resting.length - most))) dismiss(rested);
  }

  /** Nobody waits for it: what fails is tried again, and told, when all are closed. */
  function dismiss(rested: Resting): void {
    clearTimeout(rested.timer);
    resting.splice(resting.indexOf(rested), 1);
    end(rested.stage).catch(() => {});
  }

  async function end(stage: Stage): Promise<void> {
    await stage.host.close().finally(stage.rehearsal.close);
    stages.delete(stage);
  }

  return {
    async open(spec, signal) {
      const kind = sha256(canonicalJson(spec));
      most = Math.max(most, ++playing);
      try {
        const again = await openAgain(kind, spec, signal);
        makeRoom();
        const { stage, conversation } = again ?? (await openOn(await setStage(), spec, signal));
        return whoseEnd(conversation, (wentWell) => {
          playing -= 1;
          return wentWell && stage.rehearsal.isUndisturbed ? leave(stage, kind, conversation) : end(stage);
        });
      } catch (error) {
        playing -= 1;
        throw error;
      }
    },
    async checkAuth(signal) {
      const stage = await setStage();
      return stage.host.checkAuth(signal).finally(() => end(stage));
    },
    async close() {
      closed = true;
      for (const { timer } of resting.splice(0)) clearTimeout(timer);
      await Promise.all([...stages].map(end));
    },
  };
}

/** Processes that wait for a conversation, or are being made ready for one. */
function processesOf({ host }: Stage): number {
  const { idle, busy } = host.pool?.() ?? { idle: 0, busy: 0 };
  return idle + busy;
}

/** Its process was used again, not another one started, and the model server has heard nothing in between. */
function isAsNew({ stage: { host, rehearsal }, reused, requests }: Resting): boolean {
  return host.pool?.()?.reused === reused + 1 && rehearsal.isUndisturbed && rehearsal.requests.length === requests;
}

/** The same conversation, closed once by `close`, which is told whether its last turn ended by itself. */
function whoseEnd(conversation: Conversation, close: (wentWell: boolean) => Promise<void>): Conversation {
  let wentWell = true;
  let closing: Promise<void> | undefined;
  return {
    ...conversation,
    async turn(input, host) {
      wentWell = false;
      const end = await conversation.turn(input, host);
      wentWell = end.reason === "natural";
      return end;
    },
    close: () => (closing ??= close(wentWell)),
  };
}
