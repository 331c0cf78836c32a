import { isDeepStrictEqual } from "node:util";
import { getErrorMessage, type ToolReply, type TurnContext } from "@bridle/protocol";
import { findPatchFiles, type PatchFile, patchProblem } from "../boundary/patch-files.ts";
import { type HostFileChange, patchItem } from "../messages/messages.ts";
import type { AppliedPatch } from "../process/apply-patch.ts";
import type { StepCall } from "./step.ts";

export interface PatchesOptions {
  /** The folder that patches may change, with links in its path resolved. */
  readonly folder: string;
  readonly context: Pick<TurnContext, "authorizeHostTool" | "completeHostTool" | "reportRefused">;
  /** Applies a patch outside of the turn. */
  apply(patch: string): Promise<AppliedPatch>;
  /** Receives a call's input in the form that is logged. */
  observeInput(callId: string, input: PatchInput): void;
}

/** A patch in the form that rules and the user see: the model's text, and the files that Codex found in it. */
export interface PatchInput {
  readonly patch: string;
  readonly files?: readonly PatchFile[];
}

const changedMeanwhile = "The files of this patch were replaced while it was decided. Nothing was changed.";

/** The calls of `apply_patch` in a turn: their changes, permissions and outcomes. */
export class Patches {
  readonly #options: PatchesOptions;
  readonly #changes = new Map<string, readonly HostFileChange[]>();
  /** Patches that the host may apply, by id. The value is true once the host has applied the patch. */
  readonly #accepted = new Map<string, boolean>();

  constructor(options: PatchesOptions) {
    this.#options = options;
  }

  isAccepted(callId: string): boolean {
    return this.#accepted.has(callId);
  }

  /** Whether the host has applied the patch. */
  isApplied(callId: string): boolean {
    return this.#accepted.get(callId) ?? false;
  }

  /**
   * Updates a patch when the host is about to ask for permission, or has finished with the patch. Returns false if the patch was applied
   * without permission, or if the form of the message does not show whether it was applied.
   */
  update(item: unknown): boolean {
    const parsed = patchItem.safeParse(item);
    if (!parsed.success) return false;
    const { id, status, changes } = parsed.data;
    this.#changes.set(id, changes);
    if (status !== "completed") return true;
    const isAllowed = this.#accepted.has(id);
    this.#accepted.set(id, true);
    return isAllowed;
  }

  /** Returns the refusal of a patch. Undefined if the patch may be applied. */
  async refusal(call: StepCall): Promise<ToolReply | undefined> {
    const { context, observeInput } = this.#options;
    const { input, problem } = await this.#inspect(call);
    observeInput(call.callId, input);
    if (problem !== undefined) {
      context.reportRefused({ ...call, input }, problem);
      return { output: problem, isError: true };
    }
    const answer = await context.authorizeHostTool({ ...call, input });
    if (!answer.allow) return { output: answer.reply, isError: true };
    if (isDeepStrictEqual(await this.#inspect(call), { input })) return undefined;
    context.completeHostTool(call.callId, false, changedMeanwhile);
    return { output: changedMeanwhile, isError: true };
  }

  accept(callId: string): { decision: "accept" } {
    this.#accepted.set(callId, false);
    return { decision: "accept" };
  }

  /** Applies an allowed patch outside of the turn. */
  async apply({ callId, input }: StepCall): Promise<ToolReply> {
    const { ok, output } = await this.#options
      .apply(patchOf(input))
      .catch((error: unknown) => ({ ok: false, output: getErrorMessage(error) }));
    this.#options.context.completeHostTool(callId, ok, output);
    return { output, isError: !ok };
  }

  /** Stores the result of a patch that the host could apply. */
  complete(callId: string, output: string): void {
    this.#options.context.completeHostTool(callId, this.isApplied(callId), output);
  }

  async #inspect({ callId, input }: StepCall): Promise<{ input: PatchInput; problem?: string }> {
    const patch = patchOf(input);
    const { folder } = this.#options;
    try {
      const files = await findPatchFiles(this.#changes.get(callId) ?? [], folder);
      const problem = patchProblem(files, folder);
      return { input: { patch, files }, ...(problem !== undefined && { problem }) };
    } catch {
      return { input: { patch }, problem: "A path of this patch cannot be followed. Nothing was changed." };
    }
  }
}

function patchOf(input: unknown): string {
  const patch: unknown = typeof input === "object" && input !== null ? Reflect.get(input, "patch") : undefined;
  return typeof patch === "string" ? patch : "";
}
