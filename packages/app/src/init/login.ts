import { getErrorMessage } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { inTemporaryFolder } from "../files/temporary-folders.ts";

/** Whether Claude Code's own login on this machine works. */
export type Login =
  | { readonly state: "accepted" | "refused"; readonly detail: string }
  | { readonly state: "not checked"; readonly detail: string };

/**
 * Asks the host with one short request, as `bridle doctor --live` does: files do not show whether a login is still valid. Never
 * rejects: the reason why it cannot be checked is part of the result. `timeoutMs` in milliseconds.
 */
export async function probeLogin(
  { createRuntime, environment }: Pick<AppContext, "createRuntime" | "environment">,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Login> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    // An empty folder, because a bridle.yaml above this one could choose another host.
    return await inTemporaryFolder("init", async (projectDir) => {
      const runtime = await createRuntime({ backend: "claude-code", auth: "session", projectDir, environment });
      try {
        const { ok, detail } = await runtime.checkAuth(AbortSignal.any([signal, limit]));
        return { state: ok ? "accepted" : "refused", detail };
      } finally {
        await runtime.close();
      }
    });
  } catch (error) {
    if (limit.aborted) return { state: "not checked", detail: `no answer within ${timeoutMs / 1000} s` };
    return { state: "not checked", detail: getErrorMessage(error) };
  }
}
