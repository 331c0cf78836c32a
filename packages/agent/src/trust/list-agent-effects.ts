/** Lists the effects of an agent file. Starts, loads and sends nothing. */

import { resolve } from "node:path";
import {
  asWritten,
  credentialEffects,
  hostEffects,
  isOutside,
  packageEffects,
  policyEffects,
  realPath,
  rulesEffect,
  type Settings,
  shownAddress,
  shownPairs,
  skippingModes,
  variableEffects,
} from "@bridle/project";
import type { EffectiveFile, EffectSummary, FolderEffect, GraderSource, LoadedFile } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { backendOf } from "../definition/agent-model.ts";
import { usualKeyEffects } from "../definition/assumed-keys.ts";
import { findMappings } from "../definition/find-mappings.ts";
import { findHostBlocks } from "../definition/host-block.ts";
import { namedPatterns } from "../definition/named-files.ts";
import { namedModels } from "../definition/named-models.ts";
import { sensitiveFields } from "../definition/sensitive-fields.ts";
import { currentView, FolderView } from "../modules/folder-view.ts";
import { shownPython } from "../python/is-python.ts";
import { linkedSkills } from "../skills/skill-folders.ts";
import { agentToolConfig } from "../tool-kinds/agent/agent-config.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import { type CodeContents, codeContent, folderContent } from "./code-content.ts";
import { settingKey, withoutDescriptions } from "./setting-key.ts";

type Loaded = Pick<AgentDefinition, "path" | "baseDir" | "config" | "sources" | "toolKinds">;

/** The project of the agent. Its rules apply to the agent's tools if the agent has no rules. */
export interface Surroundings {
  readonly settings: Pick<Settings, "policy" | "written" | "projectDir">;
  /** Returns the same project without the agent's model. */
  asConfigured(): { readonly settings: Pick<Settings, "provider" | "absent"> };
}

/** Lists the effects of an agent file in a project. Files that are listed together share a view. */
export function effectiveFile(
  definition: Loaded,
  project: Surroundings,
  view: FolderView = new FolderView(),
): EffectiveFile {
  return { path: definition.path, effects: listAgentEffects(definition, project, view) };
}

/** Describes modes in the file that run tools without asking the user. */
export function skippedQuestions({ config, sources }: Pick<Loaded, "config" | "sources">): string[] {
  const effects = [...hostBlockEffects({ config, sources }), ...policyEffects(config.policy, sources.written)];
  return skippingModes(effects, sources.positions);
}

function listAgentEffects(definition: Loaded, project: Surroundings, view: FolderView): FolderEffect[] {
  const { config, sources, baseDir } = definition;
  const { projectDir } = project.settings;
  const ruled = [
    ...toolEffects(definition, view),
    ...hostBlockEffects(definition, { baseDir, projectDir, view }),
    ...policyEffects(config.policy, sources.written),
  ];
  const effects = [
    ...ruled,
    ...(ruled.some(({ kind }) => kind !== "reads") ? [rulesInForce(definition, project)] : []),
    ...graderEffects(definition, view),
    ...embeddingEffects(definition),
    ...modelEffects(definition),
    ...usualKeyEffects(config, project.asConfigured().settings),
    ...telemetryEffects(definition),
    ...fileEffects(definition, baseDir),
    ...variableEffects(sources.written),
  ];
  return effects.map((effect) => ({ ...effect, key: settingKey(effect.field, config) }));
}

/** Describes the rules under which the file's tools run. */
function rulesInForce({ config, sources }: Loaded, { settings }: Surroundings): FolderEffect {
  const others = findHostBlocks(config).flatMap(({ key, block, value }) =>
    (block.callRules?.(asWritten(value, sources.written, key)) ?? []).map((rule) => `${key}.${rule}`),
  );
  const { policy, written } = config.policy === undefined ? settings : { ...config, written: sources.written };
  return rulesEffect({ agent: config.name, policy, written, others });
}

function toolEffects({ config, sources, baseDir, toolKinds }: Loaded, view: FolderView): FolderEffect[] {
  return (config.tools ?? []).flatMap((tool, index) => {
    const field = `tools.${index}`;
    const entry = asWritten(tool, sources.written, field) as typeof tool; // references are strings, so the entry keeps its type
    const kind = findKind(tool, toolKinds);
    const effects = kind.effects?.(entry, { baseDir }) ?? [{ kind: "runs" as const, subject: kind.describe(entry) }];
    const isAgent = agentToolConfig.safeParse(tool).success; // its file is listed with its own effects
    const value = isAgent ? undefined : withoutDescriptions(tool);
    const part = { field, written: withoutDescriptions(entry), value, baseDir };
    return effects.map((effect) => placed(effect, part, view));
  });
}

/** A part of the agent file. */
interface Part {
  readonly field: string;
  /** The part as the user sees it, with references to variables. */
  readonly written: unknown;
  /** The part with the values of the variables. These values can be parts of paths. */
  readonly value: unknown;
  readonly baseDir: string;
}

/** Adds the position and content to an effect. If the effect runs code of the folder, the user also trusts that code. */
function placed(effect: EffectSummary, { field, written, value, baseDir }: Part, view: FolderView): FolderEffect {
  if (effect.kind !== "runs") return { ...effect, field, content: JSON.stringify([written]) };
  const readAt = (at: FolderView): FolderEffect => {
    const { files, types } = codeContent(value, baseDir, at);
    const loaded = { setting: JSON.stringify([written, types]), files: loadedFiles(files), canBeEdited: true };
    const content = JSON.stringify([written, types, ...files]);
    return { ...effect, field, content, loaded, readAgain: () => readAt(currentView()) };
  };
  return readAt(view);
}

function loadedFiles(contents: CodeContents): LoadedFile[] {
  return contents.map(([path, hash]) => ({ path, hash }));
}

/** Lists the effects of metrics that a module implements. */
function graderEffects({ config, sources, baseDir }: Loaded, view: FolderView): FolderEffect[] {
  const { evaluations, test_cases } = config;
  return findMappings(
    { evaluations, test_cases },
    (value) => value.type === "code" && typeof value.file === "string",
  ).map(({ path, value }) => {
    const written = asWritten(value, sources.written, path);
    const { file = "", runtime, python } = written as Partial<GraderSource>; // the metric's schema has checked it
    const subject = `the module ${file}${shownPython({ file, runtime, python })} in tests`;
    return placed({ kind: "runs", subject }, { field: path, written, value, baseDir }, view);
  });
}

function embeddingEffects({ config, sources, baseDir, toolKinds }: Loaded): FolderEffect[] {
  const { embedding_provider: given } = config;
  if (given === undefined) return [];
  const field = "embedding_provider";
  const { isCredential } = sensitiveFields(toolKinds);
  return [
    ...packageEffects(given.provider, field, baseDir),
    ...hostEffects({
      field,
      values: given,
      written: sources.written,
      plain: ["provider", "name", "dimensions", "api_version"],
      isCredential: (key) => isCredential([field, key]),
    }),
  ];
}

function hostBlockEffects(
  { config, sources }: Pick<Loaded, "config" | "sources">,
  folders?: { readonly baseDir: string; readonly projectDir: string; readonly view: FolderView },
): FolderEffect[] {
  return findHostBlocks(config).flatMap(({ key, block, host, value: read }) => {
    const value = asWritten(read, sources.written, key);
    const effects = block.effects?.(value) ?? [{ kind: "runs" as const, subject: `tools of ${host.title}` }];
    return effects.map((effect) => {
      if (effect.kind !== "runs") return { ...effect, field: key, content: JSON.stringify(value) };
      const readAt = (view: FolderView): FolderEffect => {
        const files = folders === undefined ? [] : (block.loadedFiles?.(read, folders) ?? []);
        const contents = folders === undefined ? [] : folderContent(files, folders.projectDir, view);
        const loaded = { setting: JSON.stringify(value), files: loadedFiles(contents), canBeEdited: false };
        const content = JSON.stringify([value, ...contents]);
        return { ...effect, field: key, content, loaded, readAgain: () => readAt(currentView()) };
      };
      return readAt(folders?.view ?? currentView());
    });
  });
}

const plainModelKeys = [
  "provider",
  "runtime",
  "name",
  "temperature",
  "top_p",
  "max_tokens",
  "auth_provider",
  "api_version",
];

/** Lists the agent's own model, the models of its judges, and models that tools use. */
function modelEffects({ config, sources, toolKinds }: Loaded): FolderEffect[] {
  const { isCredential } = sensitiveFields(toolKinds);
  return namedModels(config).flatMap(({ field, model: value }) => {
    const { backend } = backendOf(value);
    return [
      ...hostEffects({
        field,
        values: value,
        written: sources.written,
        plain: plainModelKeys,
        isCredential: (key) => isCredential([...field.split("."), key]),
      }),
      ...(value.auth_provider === undefined
        ? []
        : credentialEffects(backend, { auth: value.auth_provider }, `${field}.auth_provider`)),
    ];
  });
}

function telemetryEffects({ config, sources }: Loaded): FolderEffect[] {
  const { observability } = config;
  const { otlp } = observability?.exporters ?? {};
  if (!observability?.enabled || otlp === undefined || otlp.enabled === false) return [];
  const field = "observability";
  const value = asWritten(observability, sources.written, field);
  const shown = asWritten(otlp, sources.written, `${field}.exporters.otlp`) as typeof otlp;
  const what = observability.traces?.capture_content ? "spans with prompts and answers" : "spans and metrics";
  const subject = `${what} to ${shownAddress(shown.endpoint ?? "http://localhost:4318")}${shownPairs("headers", shown.headers)}`;
  return [{ kind: "sends", subject, field, content: JSON.stringify(value) }];
}

/** Lists files and folders outside of the agent's folder. */
function fileEffects({ config, sources, toolKinds }: Loaded, baseDir: string): FolderEffect[] {
  const outside = (name: string, field: string, content = name): FolderEffect => ({
    kind: "reads",
    subject: `${name}, outside of the folder`,
    field,
    content,
  });
  const { skills = [] } = config;
  return [
    ...namedPatterns(asWritten(config, sources.written), toolKinds)
      .filter(({ name }) => isOutside(baseDir, name))
      .map(({ path, name }) => outside(name, path.join("."))),
    ...skills.flatMap((path, index) =>
      linkedSkills(path, baseDir).map((name) => outside(name, `skills.${index}`, realPath(resolve(baseDir, name)))),
    ),
  ];
}
