import { ConfigError } from "@bridle/protocol";
import type { Finding } from "../boundary/findings.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";

const identity = { id: "boundary", title: "Boundary", area: "backend" } as const;

/** Proves on this machine, with a rehearsed model, that nothing reaches the model but what was handed over. */
export async function checkBoundary(
  { provider, environment }: Settings,
  wanted: boolean,
  signal?: AbortSignal,
): Promise<Check> {
  if (!wanted) return skipped(identity, "not proven; --boundary runs Claude Code against a rehearsed model");
  if (provider.backend !== "claude-code")
    return skipped(identity, "It is about Claude Code, which the project does not use.");
  const { proveBoundary } = await import("../boundary/prove.ts");
  try {
    return judge(await proveBoundary({ environment, signal }));
  } catch (error) {
    if (signal?.aborted) return skipped(identity, "stopped before it was proven");
    const area = error instanceof ConfigError ? "configuration" : "backend";
    const detail = error instanceof Error ? error.message : String(error);
    return failed({ ...identity, area }, detail, "Mend that and try again; nothing was proven.");
  }
}

function judge(findings: readonly Finding[]): Check {
  const broken = findings.filter(({ ok }) => !ok);
  if (broken.length === 0) return passed(identity, findings.map(({ title }) => title).join("\n"));
  return failed(
    identity,
    broken.map(({ title, detail }) => `Not so: ${title}. ${detail}`).join("\n"),
    "Do not run agents here on untrusted input, and report this with the output of bridle doctor --boundary --json.",
  );
}
