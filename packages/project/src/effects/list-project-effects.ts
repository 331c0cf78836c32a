import { createRequire } from "node:module";
import { join } from "node:path";
import type { FolderEffect } from "@bridle/protocol";
import { isCredential } from "../config/connections.ts";
import { noContext } from "../config/context.ts";
import type { ParsedConfig } from "../config/parse.ts";
import type { Environment } from "../config/variables.ts";
import { embedderDefinition } from "../registries/embedder-registry.ts";
import { hostOf } from "../registries/host-registry.ts";
import { commitEffects } from "../trust/git-programs.ts";
import { connectionEffects } from "./connection-effects.ts";
import { fileContent, variableEffects } from "./effect-values.ts";
import { eventLogEffects, hostEffects, policyEffects, rulesEffect, serveEffects } from "./setting-effects.ts";
import { sourceEffects } from "./source-effects.ts";

/** Lists the effects of a `bridle.yaml` in this folder. Loads and sends nothing. */
export function listProjectEffects(parsed: ParsedConfig, projectDir: string, environment: Environment): FolderEffect[] {
  const { config, written, positions } = parsed;
  const { provider } = config.llm;
  const inFile = <T extends object>(field: string, values: T): object =>
    Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(positions, `${field}.${key}`)));
  const reaching = (field: string, values: object, plain: readonly string[] = []) =>
    hostEffects({
      field,
      values: inFile(field, values),
      written,
      plain: ["backend", ...plain],
      isCredential: (key) => isCredential([...field.split("."), key]),
    });
  const { embeddings } = config;
  const skipped = policyEffects(config.policy, written);
  return [
    ...(embeddings ? packageEffects(embeddings.backend, "embeddings", projectDir) : []),
    ...skipped,
    ...(skipped.length > 0 ? [rulesEffect({ policy: config.policy, written })] : []),
    ...eventLogEffects(config.eventLog, written),
    ...serveEffects(config.serve),
    ...connectionEffects(config.context ?? noContext, written),
    ...commitEffects(config.context?.commit, projectDir, environment),
    ...sourceEffects(config.context ?? noContext, written, projectDir),
    ...reaching("llm.provider", provider, hostOf(provider.backend).settings.plainKeys),
    ...(embeddings
      ? reaching("embeddings", embeddings, embedderDefinition(embeddings.backend).settings.plainKeys)
      : []),
    ...credentialEffects(provider.backend, provider, "llm.provider.auth"),
    ...variableEffects(written),
  ];
}

/** Lists the effect that embeddings load a package of the folder. */
export function packageEffects(backend: string, field: string, folder: string): FolderEffect[] {
  const { projectPackage } = embedderDefinition(backend);
  if (projectPackage === undefined) return [];
  const subject = `the package ${projectPackage} in the folder's node_modules`;
  const readAgain = (): FolderEffect => ({
    kind: "runs",
    subject,
    field,
    content: `${subject} ${packageContent(projectPackage, folder)}`,
    readAgain,
  });
  return [readAgain()];
}

function packageContent(name: string, folder: string): string {
  try {
    return fileContent(createRequire(join(folder, "package.json")).resolve(name));
  } catch {
    return "not installed";
  }
}

/** Lists the effect that an auth mode uses credentials of the environment instead of a login. */
export function credentialEffects(backend: string, config: object, field: string): FolderEffect[] {
  const { auth } = hostOf(backend);
  const names = auth?.missing({ ...config, backend }, {}) ?? [];
  if (names.length === 0) return [];
  const subject = `the credentials ${names.join(", ")} of the environment`;
  return [{ kind: "reads", subject, field, content: subject }];
}
