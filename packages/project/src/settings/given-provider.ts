/** A provider that a file other than `bridle.yaml` sets, such as an agent file. */
import { ConfigError, type SourcePosition, type UsualKey } from "@bridle/protocol";
import type { ParsedConfig } from "../config/parse.ts";
import { providerSchema } from "../config/provider.ts";
import type { SettingSources } from "../config/setting-sources.ts";
import type { Environment, EnvironmentValue } from "../config/variables.ts";
import { defaultHost, type Provider } from "../registries/host-registry.ts";
import { without } from "./without-paths.ts";

/** A provider as data, in the form of `llm.provider`. */
export interface GivenProvider {
  readonly settings: Partial<Provider>;
  /** The model of the role `default`. */
  readonly model?: string;
  readonly source: ProviderSource;
  /** The key's usual variable. It is used if the file sets no key. */
  readonly usualKey?: UsualKey | undefined;
}

/** A key that no file sets, and that comes from the usual variable of its provider. */
export interface AssumedKey {
  readonly variable: string;
  /** The mapping without the key, such as `model`. */
  readonly holder: string;
  readonly position: SourcePosition;
}

/** The file that sets a provider, for errors and redaction. Settings have the paths that they have in `bridle.yaml`. */
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
  readonly assumedKey?: AssumedKey;
}

/**
 * Replaces the provider of a project. The project's settings for the same backend still apply, unless the given provider determines how the
 * host is reached. So no credential is sent to an address that it is not meant for. Throws ConfigError if the provider is not
 * valid.
 */
export function withProvider(
  project: ParsedConfig,
  given: GivenProvider | undefined,
  environment: Environment,
): WithSource {
  if (given === undefined) return project;
  const merged = replaceProvider(project, given);
  const assumed = assumeKey(project, given, environment);
  if (assumed === undefined) return merged;
  const { assumedKey, text } = assumed;
  const { llm } = merged.config;
  return {
    ...merged,
    config: { ...merged.config, llm: { ...llm, provider: { ...llm.provider, apiKey: text.value } } },
    written: { ...merged.written, [keyPath]: text.shown },
    values: [...merged.values, text],
    assumedKey,
  };
}

const keyPath = "llm.provider.apiKey";

/**
 * Finds the key of the provider that the file sets, if the key's variable is set and no other setting determines how the host is reached,
 * neither in the file nor in the project for the same backend. So the variable never changes who pays.
 */
function assumeKey(
  { config, absent }: ParsedConfig,
  { settings, source, usualKey }: GivenProvider,
  environment: Environment,
): ReadKey | undefined {
  if (usualKey === undefined || settings.apiKey !== undefined || source.absent[keyPath] !== undefined) return undefined;
  if (isReachedByProject({ provider: config.llm.provider, absent }, settings.backend)) return undefined;
  const namesAddress = settings.baseUrl !== undefined || source.absent["llm.provider.baseUrl"] !== undefined;
  return readUsualKey(usualKey, { source, namesAddress, environment, at: "llm.provider" });
}

/** Whether the project's settings are for this backend and determine how its host is reached. */
export function isReachedByProject(
  { provider, absent }: { readonly provider: Provider; readonly absent: ParsedConfig["absent"] },
  backend: string | undefined,
): boolean {
  const isReached = Object.keys(provider).length > 1 || Object.keys(absent).some((path) => ofProvider.test(path));
  return provider.backend === backend && isReached;
}

interface ReadKey {
  readonly assumedKey: AssumedKey;
  readonly text: EnvironmentValue;
}

interface UsualKeyUse {
  readonly source: ProviderSource;
  readonly namesAddress: boolean;
  readonly environment: Environment;
  /** The path of the provider in `bridle.yaml`. */
  readonly at: string;
}

/** Reads the value of a usual key; undefined if its variable is not set, or if the key is not for the address in the file. */
export function readUsualKey(
  { variable, isForAddress = false }: UsualKey,
  { source, namesAddress, environment, at }: UsualKeyUse,
): ReadKey | undefined {
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (!value || (namesAddress && !isForAddress)) return undefined;
  const { holder, file, positions } = source;
  const assumedKey = { variable, holder, position: positions[at] ?? { file } };
  return { assumedKey, text: { value, shown: `\${${variable}}` } };
}

function replaceProvider(project: ParsedConfig, given: GivenProvider): WithSource {
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
