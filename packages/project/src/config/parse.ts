import { findConnectionFaults } from "./connection-faults.ts";
import { isConnection, isCredential, isSecret } from "./connections.ts";
import { noContext } from "./context.ts";
import type { FileForm } from "./problems.ts";
import { readObject } from "./read-object.ts";
import { readYaml, toConfigError, type YamlFile } from "./read-yaml.ts";
import { type Config, configSchema } from "./schema.ts";
import type { SettingSources } from "./setting-sources.ts";
import { findSourceFaults } from "./source-faults.ts";
import { findTypedSecrets } from "./typed-secrets.ts";
import type { Environment, EnvironmentValue } from "./variables.ts";

/** The settings of a file, their positions, and the values from the environment. */
export interface ParsedConfig extends SettingSources {
  readonly config: Config;
  /** Strings that are redacted in all output: values from the environment, and credentials in the file itself. */
  readonly values: readonly EnvironmentValue[];
  /** The paths of credentials that the file itself contains. */
  readonly typed: readonly string[];
}

const form: FileForm<Config> = { schema: configSchema, isSecret, isConnection };

/**
 * Reads `bridle.yaml` from its text. `file` is only for messages. Throws one ConfigError that lists every problem with
 * its line and column; its `position` and `field` are from the first problem.
 *
 * @example parseConfig("llm: { models: { default: opus } }", "bridle.yaml", process.env).config.llm.models.default // "opus"
 */
export function parseConfig(text: string, file: string, environment: Environment): ParsedConfig {
  return toParsedConfig(readYaml(text, file, environment, form), file);
}

/**
 * Reads the content of a `bridle.yaml` that a program passes as an object. Throws ConfigError; its positions are paths. A credential in
 * the object is not reported as written in a file, because the program may have read it from anywhere.
 */
export function parseConfigObject(config: object, environment: Environment): ParsedConfig {
  const parsed = toParsedConfig(readObject(config, "config", environment, form), "config");
  return { ...parsed, values: parsed.values.map((each) => ({ ...each, isOfProgram: true })), typed: [] };
}

function toParsedConfig(read: YamlFile<Config>, file: string): ParsedConfig {
  const { value, problems, values, positions, written, absent } = read;
  if (value === undefined) throw toConfigError(problems, file);
  const context = value.context ?? noContext;
  const faults = [...findConnectionFaults(context, read), ...findSourceFaults(context, read)];
  if (faults.length > 0) throw toConfigError(faults, file);
  const typed = findTypedSecrets(value, { written }, { isCredential, mayBeCredential: isSecret });
  return {
    config: value,
    values: [...values, ...typed],
    typed: typed.filter(({ isOpen }) => isOpen).map(({ path }) => path),
    positions,
    written,
    absent,
  };
}
