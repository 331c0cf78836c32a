/** A provider that another file than `bridle.yaml` sets, such as an agent's. */
import { ConfigError } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { providerSchema } from "../config/provider.ts";
import type { SettingSources } from "../config/setting-sources.ts";
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

/** The file that sets a provider, for errors and redaction. Paths are the paths of `bridle.yaml`. */
export interface ProviderSource extends SettingSources {
  /** The name of the file in messages. */
  readonly file: string;
  /** The mapping in the file, such as `model`. */
  readonly holder: string;
  /** The file's names for keys of `llm.provider`, if they differ. */
  readonly keys: Readonly<Record<string, string>>;
  readonly values: readonly EnvironmentValue[];
}

interface WithSource extends ParsedConfig {
  readonly providerSource?: ProviderSource;
}

/**
 * The project with another provider instead of its own. The project's settings for the same backend still apply if the
 * given provider does not say how its host is reached. So no credential is sent to an address that it is not for. Throws
 * ConfigError if the provider is not valid.
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
