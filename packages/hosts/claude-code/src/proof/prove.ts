import { homedir } from "node:os";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { createClaudeCodeBackend } from "../backend.ts";
import type { ClaudeEnvironment } from "../options.ts";
import { startDecoy } from "./decoy.ts";
import { attemptedTools, boundaryScript, gatherEvidence } from "./evidence.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { trapVariables } from "./trap-variables.ts";
import { plantTraps, type Traps } from "./traps.ts";

export interface ProofOptions {
  /** The environment with the home and settings to test. */
  environment: ClaudeEnvironment;
  /** Stops the proof, which then rejects once all traps are removed. */
  signal?: AbortSignal | undefined;
}

const rehearsalKey = "rehearsal-key";
const variableWord = "trap-variable-word";

/**
 * Proves the boundary on this machine: the real host runs with this home's own settings, among traps in a temporary project, while a
 * rehearsed model calls every known tool. No login is used, and nothing leaves the machine.
 */
export async function proveBoundary({ environment, signal }: ProofOptions): Promise<Finding[]> {
  const home = environment.HOME || homedir();
  const configDir = environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const traps = await plantTraps(configDir, { cacheDir: environment.XDG_CACHE_HOME || join(home, ".cache") });
  try {
    return await proveAmong(traps, { environment, signal });
  } finally {
    await traps.remove();
  }
}

async function proveAmong(traps: Traps, { environment, signal }: ProofOptions): Promise<Finding[]> {
  const decoy = await startDecoy();
  try {
    const builtins = Object.keys(createClaudeCodeBackend().features.builtins);
    const script = boundaryScript(builtins, traps, decoy.url);
    const rehearsal = await startRehearsal({ script: defineScript(script) });
    const backend = createClaudeCodeBackend({
      auth: "api_key",
      baseUrl: rehearsal.url,
      environment: { ...environment, ...trapVariables(decoy.url, variableWord), ANTHROPIC_API_KEY: rehearsalKey },
    });
    try {
      const evidence = await gatherEvidence({ backend, rehearsal, traps, decoy, model: "sonnet", signal });
      const authorization = { header: "x-api-key", value: rehearsalKey };
      return findingsOf(evidence, { traps, authorization, variableWord, attempted: attemptedTools(builtins) });
    } finally {
      await backend.close();
      await rehearsal.close();
    }
  } finally {
    await decoy.close();
  }
}
