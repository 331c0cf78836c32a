/** What decides the results besides the agent's file: code with everything that it imports, other files, and the judges. */
import { relative, resolve, sep } from "node:path";
import {
  type AgentDefinition,
  type AgentSettings,
  type MetricConfig,
  type ModuleGraph,
  namedFiles,
  namedPaths,
  readModuleGraph,
} from "@bridle/agent";
import { modelForRole, type Redactor, sha256 } from "@bridle/core";
import { findMetric } from "@bridle/metrics";
import { canonicalJson } from "@bridle/protocol";
import { metricsOf, turnsOf } from "../checks/case-config.ts";
import { judgeRole } from "../judges/expenses.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { NamedCase } from "./choose-cases.ts";

type Contents = Readonly<Record<string, string>>;

interface ContentParts {
  readonly definition: AgentDefinition;
  readonly settings: AgentSettings;
  readonly redactor: Redactor;
  readonly cases: readonly NamedCase[];
}

/** The contents that the cases use, and a hash of them for each case, by its name in results. */
export function contentsOf(parts: ContentParts): Pick<TestPlan, "contents" | "caseContents"> {
  const { definition, settings, redactor, cases } = parts;
  const reader = new ContentReader(definition.baseDir, settings.projectDir);
  const shared = { ...reader.read(sharedPaths(definition)), ...agentModel(settings) };
  const used = cases.map((each) => [each, { ...shared, ...caseParts(each, parts, reader) }] as const);
  return {
    contents: Object.assign({}, ...used.map(([, contents]) => contents)),
    caseContents: Object.fromEntries(
      used.map(([{ name }, contents]) => [redactor.text(name), hash(contents)] as const),
    ),
  };
}

/** Reads the graph of each list of files once. */
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

  /** Paths are the same on every machine. */
  #name({ files, packages }: ModuleGraph): Contents {
    const named = [...files].map(([path, content]) => {
      return [relative(this.#projectDir, path).split(sep).join("/"), content.slice(0, 12)];
    });
    return Object.fromEntries([...named, ...[...packages].map(([name, version]) => [`package ${name}`, version])]);
  }
}

/** Files that every case depends on: code of tools, with scripts that are arguments of servers, and files that the agent reads. */
function sharedPaths({ config, baseDir, toolKinds }: AgentDefinition): string[] {
  const named = namedFiles(config, toolKinds).filter(
    ({ path: [first], isBehaviour }) => isBehaviour && first !== "test_cases" && first !== "evaluations",
  );
  const scripts = namedPaths(config.tools ?? [], baseDir).filter((path) => isScript.test(path));
  return [...named.map(({ name }) => name), ...scripts];
}

/** Other files that tools name may be data, which calls change. */
const isScript = /\.(?:[cm]?[jt]sx?|py|rb|sh)$/;

/** A model that comes from a variable is not part of the agent's file. */
function agentModel({ models, provider }: AgentSettings): Contents {
  const address = "baseUrl" in provider ? provider.baseUrl : undefined;
  return { "the model": `${models.default ?? "none"} ${hash({ model: models.default, address })}` };
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
  return { ...reader.read(graders), ...reader.read(files), ...judges(judged, definition, settings) };
}

/** The judges of metrics: a metric's own model, else that of `evaluations`, else the role. */
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

/** A new key is no other judge. */
function withoutCredentials(model: object): object {
  return Object.fromEntries(Object.entries(model).filter(([key]) => !/key|token|secret|auth/i.test(key)));
}

function hash(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, 12);
}
