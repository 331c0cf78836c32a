/** Runs the boundary proof on a made-up login, with production options, and with traps in the home as well. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { createClaudeCodeBackend } from "../../src/index.ts";
import { startDecoy } from "../../src/proof/decoy.ts";
import {
  allParts,
  attemptedTools,
  boundaryScript,
  type Evidence,
  type EvidencePart,
  gatherEvidence,
} from "../../src/proof/evidence.ts";
import { type Finding, findingsOf } from "../../src/proof/findings.ts";
import { trapVariables } from "../../src/proof/trap-variables.ts";
import { plantTraps } from "../../src/proof/traps.ts";

export interface SessionProof {
  findings: Finding[];
  evidence: Evidence;
  /** Every requested host, and every requested path. */
  hosts: readonly string[];
  paths: readonly string[];
  failed: string[];
}

const variableWord = "trap-variable-word";
const bearer = "Bearer sk-ant-oat01-rehearsal-access";

export async function proveOnSession(parts: readonly EvidencePart[] = allParts): Promise<SessionProof> {
  const home = await mkdtemp(join(tmpdir(), "bridle-home-"));
  const configDir = join(home, ".claude");
  await mkdir(configDir);
  const decoy = await startDecoy();
  await writeFakeLogin(configDir);
  const traps = await plantTraps(configDir, { plantHome: true });
  const builtins = Object.keys(createClaudeCodeBackend({ environment: {} }).features.builtins);
  const rehearsal = await startRehearsal({ script: defineScript(boundaryScript(builtins, traps, decoy.url)) });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: home });
  const backend = createClaudeCodeBackend({
    environment: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: configDir,
      ...trapVariables(decoy.url, variableWord),
      ...tlsProxy.environment,
    },
  });
  try {
    const evidence = await gatherEvidence({ backend, rehearsal, traps, decoy, model: "sonnet" }, parts);
    const authorization = { header: "authorization", value: bearer };
    const findings = findingsOf(evidence, {
      traps,
      authorization,
      variableWord,
      attempted: attemptedTools(builtins),
    });
    const failed = findings.filter(({ ok }) => !ok).map(({ id }) => id);
    const paths = [...new Set(rehearsal.requests.map(({ path }) => path))].sort();
    return { findings, evidence, hosts: [...new Set(tlsProxy.hosts)], paths, failed };
  } finally {
    await backend.close();
    await tlsProxy.close();
    await rehearsal.close();
    await traps.remove();
    await decoy.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
