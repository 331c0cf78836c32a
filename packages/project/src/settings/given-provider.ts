/** A provider that another file than `bridle.yaml` sets, such as an agent's. */
import { ConfigError } from "@bridle/protocol";
import type { Places } from "../config/find-positions.ts";
import type { ParsedConfig } from "../config/parse.ts";
import { providerSchema } from "../config/provider.ts";
import type { EnvironmentValue } from "../config/variables.ts";
import { defaultHost, type Provider } from "../hosts/host-registry.ts";
import { without } from "./without-paths.ts";

/** A provider as data, in the form of `llm.provider`. */
export interface GivenProvider {
  readonly settings: Partial<Provider>;
  /** The model of the role `default`. */
  readonly model?: string;
  readonly source: ProviderSource;
}

/** Where a provider was set, for errors and for what must not be shown. Paths are those of `bridle.yaml`. */
export interface ProviderSource extends Places {
  /** The file, as messages name it. */
  readonly file: string;
  /** The mapping in it, such as `model`. */
  readonly holder: string;
  /** Its names for keys of `llm.provider`, if they differ. */
  readonly keys: Readonly<Record<string, string>>;
  readonly values: readonly EnvironmentValue[];
}

interface WithSource extends ParsedConfig {
  readonly providerSource?: ProviderSource;
}

/**
 * The project with another provider in the place of its own. What the project says of the same backend holds where the
 * other says nothing of how its host is reached: no credential goes to an address that it was not meant for. Throws
 * ConfigError for a provider that cannot be.
 */
export function withProvider(project: ParsedConfig, given: GivenProvider | undefined): WithSource {
  if (given === undefined) return project;
  const { settings, model, source } = given;
  const { llm } = project.config;
  const { backend = defaultHost().id, ...own } = settings;
  const isSame = llm.provider.backend === backend;
  const isReached = Object.keys(own).length > 0 || Object.keys(source.absent).some((path) => ofProvider.test(path));
  const keepsRoles = isSame && !("baseUrl" in own);
  const models = { ...(keepsRoles && llm.models), ...(model !== undefined && { default: model }) };
  const isGiven = (path: string) =>
    (ofProvider.test(path) && (!isSame || isReached)) ||
    (path.startsWith("llm.models.") && (!keepsRoles || (model !== undefined && path === "llm.models.default")));
  const provider = isSame && !isReached ? llm.provider : checkProvider(settings, source);
  return {
    ...project,
    config: {
      ...project.config,
      llm: { ...llm, provider, models: Object.keys(models).length > 0 ? models : undefined },
    },
    positions: { ...without(project.positions, isGiven), ...source.positions },
    written: { ...without(project.written, isGiven), ...source.written },
    absent: { ...without(project.absent, isGiven), ...source.absent },
    values: [...project.values, ...source.values],
    typed: project.typed.filter((path) => !isGiven(path)),
    providerSource: source,
  };
}

const ofProvider = /^llm\.provider\./;

function checkProvider(settings: GivenProvider["settings"], { holder, positions, file }: ProviderSource): Provider {
  const checked = providerSchema.safeParse(settings);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new ConfigError(`${holder} cannot be used: ${issue?.path.join(".")} ${issue?.message}`, {
    position: positions["llm.provider"] ?? { file },
    field: holder,
  });
}
