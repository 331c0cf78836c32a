import { randomUUID } from "node:crypto";
import { z } from "zod";
import { patchSandbox } from "../boundary/opened-tools.ts";
import { commandAnswer } from "../messages/messages.ts";
import type { AppServer } from "./app-server.ts";

export interface AppliedPatch {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Applies a patch outside of a turn, with Codex's own program and in its sandbox. In the last step of a budget, Codex must not apply the
 * patch within the turn, because it would send the next request at once afterwards.
 */
export async function applyPatchOutside(server: AppServer, patch: string, folder: string): Promise<AppliedPatch> {
  const processId = randomUUID();
  const command = [server.home.patchProgram];
  const ran = server.request(
    "command/exec",
    { command, processId, streamStdin: true, cwd: folder, sandboxPolicy: patchSandbox(folder) },
    commandAnswer,
  );
  ran.catch(() => {});
  const deltaBase64 = Buffer.from(patch).toString("base64"); // a patch may be longer than an argument
  await server.request("command/exec/write", { processId, deltaBase64, closeStdin: true }, z.unknown());
  const { exitCode, stdout, stderr } = await ran;
  return { ok: exitCode === 0, output: `Exit code: ${exitCode}\nOutput:\n${stdout}${stderr}` };
}
