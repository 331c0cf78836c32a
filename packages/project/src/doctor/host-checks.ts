/** Checks that only some hosts have. For other hosts, the report lists them as skipped, so that all reports have the same checks. */
import { type CheckFinding, ConfigError, type HostCheckContext, type HostDefinition } from "@bridle/protocol";
import { hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped, warned } from "./check.ts";

type Identity = Pick<Check, "id" | "title" | "area">;

/** Checks the host's packages and programs on this machine. */
export async function checkInstallation(definition: HostDefinition): Promise<Check> {
  const identity = { id: "host", title: definition.title, area: "backend" } as const;
  const { checks } = await definition.load();
  if (!checks?.installation) return skipped(identity, `The backend ${definition.id} needs no program on this machine.`);
  return toCheck(identity, checks.installation());
}

/** Finds settings of the machine and the project that the host would read on its own, and checks whether Bridle keeps them out. */
export async function checkImplicitSources({ provider, projectDir, environment }: Settings): Promise<Check> {
  const identity = { id: "implicit-sources", title: "Implicit sources", area: "backend" } as const;
  const { checks } = await hostOf(provider.backend).load();
  if (!checks?.implicitSources) return skipped(identity, `The backend ${provider.backend} has none.`);
  return toCheck(identity, await checks.implicitSources(provider, { projectDir, environment }));
}

/** Proves on this machine, with a rehearsed model, that only the input of the run reaches the model. */
export async function checkBoundary(settings: Settings, wanted: boolean, signal?: AbortSignal): Promise<Check> {
  const identity = { id: "boundary", title: "Boundary", area: "backend" } as const;
  const { provider, projectDir, environment } = settings;
  if (!wanted) return skipped(identity, "not proven; --boundary runs the host against a rehearsed model");
  const { checks } = await hostOf(provider.backend).load();
  if (!checks?.boundary)
    return skipped(identity, `The backend ${provider.backend} runs no program that needs a proof.`);
  const context: HostCheckContext = { projectDir, environment, signal };
  try {
    return toCheck(identity, await checks.boundary(provider, context));
  } catch (error) {
    if (signal?.aborted) return skipped(identity, "stopped before it was proven");
    const area = error instanceof ConfigError ? "configuration" : "backend";
    const detail = error instanceof Error ? error.message : String(error);
    return failed({ ...identity, area }, detail, "Correct that and try again; nothing was proven.");
  }
}

function toCheck(identity: Identity, { ok, detail, remedy }: CheckFinding): Check {
  if (remedy === undefined) return passed(identity, detail);
  return ok ? warned(identity, detail, remedy) : failed(identity, detail, remedy);
}
