import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getErrorMessage, type HostProposal } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { inTemporaryFolder } from "../files/temporary-folders.ts";
import { bridleYaml } from "./bridle-yaml.ts";

/** Whether the login of a host on this machine works. */
export type Login =
  | { readonly state: "accepted" | "refused"; readonly detail: string }
  | { readonly state: "not checked"; readonly detail: string };

/**
 * Asks the host with one short request, as `bridle doctor --live` does: files do not show whether a login is still valid. Never rejects: if
 * the login cannot be checked, the result contains the reason. `timeoutMs` in milliseconds.
 */
export async function probeLogin(
  provider: HostProposal,
  { createRuntime, environment }: Pick<AppContext, "createRuntime" | "environment">,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Login> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    // A folder with its own bridle.yaml, because a bridle.yaml above the working directory could choose another host.
    return await inTemporaryFolder("init", async (projectDir) => {
      const chosen = { provider: provider.name, model: provider.model ?? "" };
      await writeFile(join(projectDir, "bridle.yaml"), bridleYaml(chosen, environment, ""));
      const runtime = await createRuntime({ projectDir, environment });
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
