import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { ScanProgress } from "../../packages/context/src/scan/scan-options.ts";
import type { ScanFigures } from "./scan-figures.ts";

/** Milliseconds between two measurements of the CPU time. */
const everyMs = 5;

type PhaseFigures = ScanFigures["phases"][string];

/** Measures each phase of the scan that runs in this process. A phase lasts until the next phase is reported. */
export class PhaseWatch {
  peakBytes = 0;
  readonly #start: number;
  readonly #phases = new Map<string, PhaseFigures>();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #timer: NodeJS.Timeout;
  #threadMs = threadCpuMs();
  #maxTurnMs = 0;
  #before = performance.now();
  #current: string | undefined;

  constructor(start: number) {
    this.#start = start;
    this.#delay.enable();
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  onProgress({ phase, done, total }: ScanProgress): void {
    const now = performance.now();
    if (this.#current !== phase) this.#endPhase();
    this.#current = phase;
    const { reports = 0, maxMs = 0 } = this.#phases.get(phase) ?? {};
    this.#phases.set(phase, {
      endMs: now - this.#start,
      cpuMs: cpuMs(),
      reports: reports + 1,
      maxMs: Math.max(maxMs, now - this.#before),
      last: total === undefined ? `${done}` : `${done} of ${total}`,
      peakBytes: 0,
      blockedMs: 0,
      blockedCpuMs: 0,
    });
    this.#before = now;
  }

  async end(): Promise<ScanFigures["phases"]> {
    await setTimeout(4 * everyMs); // so that the last step is measured too
    this.#endPhase();
    this.#delay.disable();
    clearInterval(this.#timer);
    return Object.fromEntries(this.#phases);
  }

  #endPhase(): void {
    const peakBytes = takePeak();
    this.peakBytes = Math.max(this.peakBytes, peakBytes);
    const figures = this.#phases.get(this.#current ?? "");
    if (figures !== undefined) {
      this.#phases.set(this.#current ?? "", {
        ...figures,
        peakBytes,
        blockedMs: this.#delay.max / 1e6,
        blockedCpuMs: this.#maxTurnMs,
      });
    }
    this.#delay.reset();
    this.#maxTurnMs = 0;
  }

  #look(): void {
    const now = threadCpuMs();
    this.#maxTurnMs = Math.max(this.#maxTurnMs, now - this.#threadMs);
    this.#threadMs = now;
  }
}

/** Returns the CPU milliseconds of this process. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the CPU milliseconds of this thread: the time for which it would have been blocked on a machine without other work. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the peak memory of this process since the last call, from Linux. */
function takePeak(): number {
  const [, kibibytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  writeFileSync("/proc/self/clear_refs", "5");
  return Number(kibibytes) * 1024;
}
