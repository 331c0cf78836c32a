import type { Settings } from "../settings.ts";
import { type Check, failed, skipped } from "./check.ts";

/** Proves on this machine, with a rehearsed model, that nothing reaches the model but what was handed over. */
export async function checkBoundary({ backend }: Settings, wanted: boolean): Promise<Check> {
  const identity = { id: "boundary", title: "Boundary", area: "backend" } as const;
  if (!wanted) return skipped(identity, "not proven; --boundary runs Claude Code against a rehearsed model");
  if (backend === "none") return skipped(identity, "The project has no backend.");
  return failed(identity, "This version cannot prove it yet.", "Update Bridle.");
}
