import type { HostEnvironment, HostPoolState } from "@bridle/protocol";
import { StoppedError } from "@bridle/protocol";
import { isSameLogin } from "../login/github-login.ts";
import type { GitHubLogin } from "../login/stored-login.ts";
import { RuntimeProcess } from "./runtime-process.ts";

/** The right to use the runtime for one conversation. */
export interface RuntimeLease {
  readonly runtime: RuntimeProcess;
  /** Releases the runtime. Further calls have no effect. */
  release(): void;
}

/** Lends a runtime to one conversation after another. */
export interface RuntimeSource {
  /** @param login The login that pays; undefined if a key does. */
  acquire(login?: GitHubLogin): Promise<RuntimeLease>;
  state(): HostPoolState;
  close(): Promise<void>;
}

/** A process, the login with which it was started, and its conversations. */
interface Started {
  readonly login: GitHubLogin | undefined;
  readonly starting: Promise<RuntimeProcess>;
  leases: number;
  /** Set when another login has replaced this one. The process then ends after its last conversation. */
  isLeaving: boolean;
}

/** The single runtime of a backend. It is started for the first conversation, and again after it has died or the login has changed. */
export class SharedRuntime implements RuntimeSource {
  readonly #environment: HostEnvironment;
  readonly #startProcess: typeof RuntimeProcess.start;
  /** The newest process, and those that end after their last conversation. */
  readonly #all = new Set<Started>();
  #newest: Started | undefined;
  #served = 0;
  #isClosed = false;

  constructor(environment: HostEnvironment, startProcess: typeof RuntimeProcess.start = RuntimeProcess.start) {
    this.#environment = environment;
    this.#startProcess = startProcess;
  }

  async acquire(login?: GitHubLogin): Promise<RuntimeLease> {
    this.#requireOpen();
    const { started, runtime } = await this.#lease(login);
    this.#served += 1;
    runtime.setInUse(true);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      started.leases -= 1;
      if (started.leases > 0) return;
      runtime.setInUse(false);
      if (started.isLeaving) void this.#end(started);
    };
    return { runtime, release };
  }

  state(): HostPoolState {
    const isBusy = [...this.#all].some(({ leases }) => leases > 0);
    const isIdle = this.#newest?.leases === 0;
    return { idle: isIdle ? 1 : 0, busy: isBusy ? 1 : 0, reused: Math.max(0, this.#served - 1) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((each) => this.#end(each)));
  }

  /** Leases the runtime. Conversations that are opened at the same time share one start. */
  async #lease(login: GitHubLogin | undefined): Promise<{ started: Started; runtime: RuntimeProcess }> {
    const known = this.#newest;
    if (known && isSameLogin(known.login, login)) {
      known.leases += 1;
      const runtime = await known.starting.catch(() => undefined);
      if (runtime?.isRunning) return { started: known, runtime };
      known.leases -= 1;
      if (this.#newest !== known) return await this.#lease(login);
    }
    const started = this.#start(login);
    return { started, runtime: await started.starting };
  }

  /** Starts a process. Throws after `close`, because nothing would end the process. */
  #start(login: GitHubLogin | undefined): Started {
    this.#requireOpen();
    const starting = this.#startProcess(this.#environment, login);
    const started = { login, starting, leases: 1, isLeaving: false };
    starting.catch(() => this.#all.delete(started));
    this.#all.add(started);
    const before = this.#newest;
    this.#newest = started;
    if (before) before.isLeaving = true;
    if (before?.leases === 0) void this.#end(before);
    return started;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoppedError("The backend was closed.");
  }

  async #end(started: Started): Promise<void> {
    this.#all.delete(started);
    const runtime = await started.starting.catch(() => undefined);
    await runtime?.end();
  }
}
