import type { HostEnvironment, HostPoolState } from "@bridle/protocol";
import { StoppedError } from "@bridle/protocol";
import { RuntimeProcess } from "./runtime-process.ts";

/** The right to use the runtime for one conversation. */
export interface RuntimeLease {
  readonly runtime: RuntimeProcess;
  /** Has an effect once. */
  release(): void;
}

/** Lends a runtime to one conversation after another. */
export interface RuntimeSource {
  acquire(): Promise<RuntimeLease>;
  state(): HostPoolState;
  close(): Promise<void>;
}

/** The one runtime of a backend: started for the first conversation, and again after it has died. */
export class SharedRuntime implements RuntimeSource {
  readonly #environment: HostEnvironment;
  #starting: Promise<RuntimeProcess> | undefined;
  #leases = 0;
  #served = 0;
  #isClosed = false;

  constructor(environment: HostEnvironment) {
    this.#environment = environment;
  }

  async acquire(): Promise<RuntimeLease> {
    if (this.#isClosed) throw new StoppedError("The backend was closed.");
    const runtime = await this.#running();
    this.#leases += 1;
    this.#served += 1;
    runtime.setInUse(true);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leases -= 1;
      if (this.#leases === 0) runtime.setInUse(false);
    };
    return { runtime, release };
  }

  state(): HostPoolState {
    const isIdle = this.#starting !== undefined && this.#leases === 0;
    return { idle: isIdle ? 1 : 0, busy: this.#leases > 0 ? 1 : 0, reused: Math.max(0, this.#served - 1) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const runtime = await this.#starting?.catch(() => undefined);
    await runtime?.end();
  }

  /** Conversations that are opened at the same time share one start. */
  async #running(): Promise<RuntimeProcess> {
    const known = this.#starting;
    const runtime = await known?.catch(() => undefined);
    if (runtime?.isRunning) return runtime;
    if (this.#starting !== known) return await this.#running();
    this.#starting = RuntimeProcess.start(this.#environment);
    return await this.#starting;
  }
}
