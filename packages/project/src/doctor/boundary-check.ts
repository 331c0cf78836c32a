import type { Settings } from "../settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";

/** Proves on this machine, with a rehearsed model, that nothing reaches the model but what was handed over. */
export async function checkBoundary({ backend, environment }: Settings, wanted: boolean): Promise<Check> {
  const identity = { id: "boundary", title: "Boundary", area: "backend" } as const;
  if (!wanted) return skipped(identity, "not proven; --boundary runs Claude Code against a rehearsed model");
  if (backend === "none") return skipped(identity, "The project has no backend.");
  const { proveBoundary } = await import("../boundary/prove.ts");
  const findings = await proveBoundary({ environment });
  const broken = findings.filter(({ ok }) => !ok);
  if (broken.length === 0) return passed(identity, findings.map(({ title }) => title).join("\n"));
  return failed(
    identity,
    broken.map(({ title, detail }) => `Not so: ${title}. ${detail}`).join("\n"),
    "Do not run agents here on untrusted input, and report this with the output of bridle doctor --boundary --json.",
  );
}
