/** A conversation that allows the calls that Bridle would allow, and also everything else that Codex asks for. */
import { findPatchFiles, patchProblem } from "../../src/boundary/patch-files.ts";
import { type HostFileChange, patchItem } from "../../src/messages/messages.ts";
import type { ThreadReceiver, ThreadRequest } from "../../src/process/app-server.ts";

export interface TrapReceiverOptions {
  /** The result of our own tool. */
  readonly result: string;
  /** The folder that patches may change. */
  readonly folder: string;
  /** Called when a patch of these files is about to be applied. */
  allow(paths: readonly string[]): Promise<void>;
}

export class TrapReceiver implements ThreadReceiver {
  /** Whether a patch was applied without being allowed. */
  hasUnasked = false;
  readonly #options: TrapReceiverOptions;
  readonly #changes = new Map<string, readonly HostFileChange[]>();
  readonly #allowed = new Set<string>();
  readonly #end = Promise.withResolvers<string>();

  constructor(options: TrapReceiverOptions) {
    this.#options = options;
  }

  /** Resolves with the status of the turn. */
  get end(): Promise<string> {
    return this.#end.promise;
  }

  receive({ method, params }: Parameters<ThreadReceiver["receive"]>[0]): void {
    if (method === "item/started" || method === "item/completed") this.#onItem(params.item);
    if (method !== "turn/completed") return;
    this.#end.resolve(params.turn.error ? params.turn.error.message : params.turn.status);
  }

  receiveRaw(): void {}

  receiveLimits(): void {}

  async answer({ method, callId }: ThreadRequest): Promise<unknown> {
    if (method === "item/tool/call")
      return { contentItems: [{ type: "inputText", text: this.#options.result }], success: true };
    return { decision: (await this.#mayApply(callId)) ? "accept" : "decline" };
  }

  fail(error: unknown): void {
    this.#end.resolve(error instanceof Error ? error.message : String(error));
  }

  #onItem(item: unknown): void {
    const { data: patch } = patchItem.safeParse(item);
    if (!patch) return;
    this.#changes.set(patch.id, patch.changes);
    if (patch.status === "completed" && !this.#allowed.has(patch.id)) this.hasUnasked = true;
  }

  /** Whether a patch may be applied. If Codex asks again, the patch has failed in the sandbox. */
  async #mayApply(callId: string): Promise<boolean> {
    const { folder, allow } = this.#options;
    if (this.#allowed.has(callId)) return false;
    const files = await findPatchFiles(this.#changes.get(callId) ?? [], folder);
    if (patchProblem(files, folder) !== undefined) return false;
    this.#allowed.add(callId);
    await allow(files.map(({ path }) => path));
    return true;
  }
}
