/** Everything apart from the agent file that influences the results: code with all its imports, other files, and the judges. */
import { relative, resolve, sep } from "node:path";
import {
  type AgentDefinition,
  type AgentSettings,
  backendOf,
  type MetricConfig,
  type ModuleGraph,
  metricsOf,
  namedFiles,
  namedPaths,
  readModuleGraph,
  turnsOf,
} from "@bridle/agent";
import { modelForRole, type Redactor, sha256 } from "@bridle/core";
import { findMetric } from "@bridle/metrics";
import { hostOf } from "@bridle/project";
import { canonicalJson } from "@bridle/protocol";
import { judgeRole } from "../judges/expenses.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { NamedCase } from "./choose-cases.ts";

type Contents = Readonly<Record<string, string>>;

interface ContentParts {
  readonly definition: AgentDefinition;
  readonly settings: AgentSettings;
  readonly redactor: Redactor;
  readonly cases: readonly NamedCase[];
  /** Tools of the program, in addition to those in the files. */
  readonly contents?: Contents | undefined;
}

/** Returns the contents that the cases use, and for each case a hash of its contents, by the case's name in results. */
export function contentsOf(parts: ContentParts): Pick<TestPlan, "contents" | "caseContents"> {
  const { definition, settings, redactor, cases } = parts;
  const reader = new ContentReader(definition.baseDir, settings.projectDir);
  const shared = {
    ...reader.read(sharedPaths(definition)),
    ...agentModel(settings),
    ...embeddingsOfTools(parts),
    ...parts.contents,
  };
  const used = cases.map((each) => [each, { ...shared, ...caseParts(each, parts, reader) }] as const);
  return {
    contents: Object.assign({}, ...used.map(([, contents]) => contents)),
    caseContents: Object.fromEntries(
      used.map(([{ name }, contents]) => [redactor.text(name), hash(contents)] as const),
    ),
  };
}

/** Reads the module graph of each list of files once. */
class ContentReader {
  readonly #baseDir: string;
  readonly #projectDir: string;
  readonly #graphs = new Map<string, Contents>();

  constructor(baseDir: string, projectDir: string) {
    this.#baseDir = baseDir;
    this.#projectDir = projectDir;
  }

  read(paths: readonly string[]): Contents {
    const full = paths.map((path) => resolve(this.#baseDir, path));
    const key = full.join("\n");
    const contents = this.#graphs.get(key) ?? this.#name(readModuleGraph(full));
    this.#graphs.set(key, contents);
    return contents;
  }

  /** Makes paths relative, so that they are the same on every machine. */
  #name({ files, packages }: ModuleGraph): Contents {
    const named = [...files].map(([path, content]) => {
      return [relative(this.#projectDir, path).split(sep).join("/"), content.slice(0, 12)];
    });
    return Object.fromEntries([...named, ...[...packages].map(([name, version]) => [`package ${name}`, version])]);
  }
}

/**
 * Lists files that every case depends on: code of tools, including scripts that are arguments of servers, and files that the agent reads.
 */
function sharedPaths({ config, baseDir, toolKinds }: AgentDefinition): string[] {
  const named = namedFiles(config, toolKinds).filter(
    ({ path: [first], isBehaviour }) => isBehaviour && first !== "test_cases" && first !== "evaluations",
  );
  const scripts = namedPaths(config.tools ?? [], baseDir).filter((path) => isScript.test(path));
  return [...named.map(({ name }) => name), ...scripts];
}

/** The endings of scripts. Other files that tools name may be data, which calls change. */
const isScript = /\.(?:[cm]?[jt]sx?|py|rb|sh)$/;

/**
 * Returns the model and provider. A model that comes from a variable is not part of the agent file, and neither is the project's provider.
 */
function agentModel({ models, provider }: AgentSettings): Contents {
  const model = models.default ?? "none";
  return { "the model": `${model} ${hash(model)}`, "llm.provider": hash(whatAnswers(provider)) };
}

/** Provider settings that do not influence an answer, in addition to the provider's credentials. */
const idleSettings = ["headers", "pool", "idleTimeoutMs"];

/** Returns the settings that determine which service and region answer. Another key for the same account does not change the service. */
function whatAnswers(provider: AgentSettings["provider"]): object {
  const { secretKeys = [], credentialKeys = [] } = hostOf(provider.backend).settings;
  const ignored = [...idleSettings, ...secretKeys, ...credentialKeys];
  return Object.fromEntries(Object.entries(provider).filter(([key]) => !ignored.includes(key)));
}

/** Returns the embeddings, if documents are searched by meaning. */
function embeddingsOfTools({ definition, settings }: ContentParts): Contents {
  const { config, toolKinds } = definition;
  const isUsed = (config.tools ?? []).some((tool) =>
    toolKinds.find(({ type }) => type === tool.type)?.needsEmbeddings?.(tool),
  );
  return isUsed ? embeddings(definition, settings) : {};
}

function embeddings({ config }: AgentDefinition, settings: AgentSettings): Contents {
  const used = config.embedding_provider ?? settings.embeddings;
  const named = "name" in used ? used.name : "model" in used ? used.model : undefined;
  return { embeddings: `${String(named ?? "none")} ${hash(withoutCredentials(used))}` };
}

function caseParts(
  { config: each }: NamedCase,
  { definition, settings }: ContentParts,
  reader: ContentReader,
): Contents {
  const turns = turnsOf(each);
  const metrics = turns.flatMap((turn) => metricsOf(definition.config, each, turn));
  const graders = metrics.flatMap((metric) => (metric.type === "code" ? [metric.file] : []));
  const files = turns.flatMap((turn) => turn.files ?? []).map(({ path }) => path);
  const judged = metrics.filter((metric) => findMetric(metric).kind === "judged");
  const uses = (name: string) => metrics.some((metric) => findMetric(metric).name === name);
  return {
    ...reader.read(graders),
    ...reader.read(files),
    ...judges(judged, definition, settings),
    ...(uses("semantic_similarity") && embeddings(definition, settings)),
    ...(uses("cost") && { "llm.prices": hash(settings.prices) }),
  };
}

/** Returns the judges of metrics: a metric's own model, or else that of `evaluations`, or else the role. */
function judges(
  metrics: readonly MetricConfig[],
  { config }: AgentDefinition,
  { models }: Pick<AgentSettings, "models">,
): Contents {
  const found = metrics.map((metric): readonly [string, string] => {
    const own = ("model" in metric ? metric.model : undefined) ?? config.evaluations?.model;
    if (own !== undefined) {
      const { provider, name } = own;
      return [`judge ${provider} ${name}`, hash(withoutCredentials(own))];
    }
    const model = models[judgeRole] ?? models.default;
    return ["the judge", model === undefined ? "none" : `${modelForRole(models, judgeRole)} ${hash(model)}`];
  });
  return Object.fromEntries(found);
}

/** Lists the backends of judges that the agent file names. */
export function judgeBackends({ config }: AgentDefinition, cases: readonly NamedCase[]): string[] {
  const metrics = cases.flatMap(({ config: each }) => turnsOf(each).flatMap((turn) => metricsOf(config, each, turn)));
  const judged = metrics.filter((metric) => findMetric(metric).kind === "judged");
  const models = judged.flatMap(
    (metric) => ("model" in metric ? metric.model : undefined) ?? config.evaluations?.model ?? [],
  );
  return models.map((model) => backendOf(model).backend);
}

/** Removes credentials, because a new key does not change the judge. */
function withoutCredentials(model: object): object {
  return Object.fromEntries(Object.entries(model).filter(([key]) => !/key|token|secret|auth/i.test(key)));
}

function hash(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, 12);
}
