/** Checks an agent before it is used. `agent validate`, `agent show` and every run use this check. */
import { readResultName } from "@bridle/core";
import { byPosition, type FileProblem, isOutside, loadHost, type Project } from "@bridle/project";
import {
  ConfigError,
  formatPosition,
  isBridleError,
  type OpenedAgentBlock,
  type Policy,
  type ToolKindContext,
  type TrustedFolder,
} from "@bridle/protocol";
import { findAgentProject } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { AgentFileError } from "../definition/agent-file-error.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import type { AgentChain } from "../delegation/nested-files.ts";
import { unsupportedSentence } from "../observability/unsupported.ts";
import { linkedSkills } from "../skills/skill-folders.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import { effectiveFiles } from "../trust/effective-files.ts";
import { readTrusted } from "../trust/read-outside.ts";
import { type KnownToolNames, knownToolNames, namedEntries } from "./known-tool-names.ts";
import { listWarnings } from "./list-warnings.ts";
import { openHostBlock } from "./open-host-block.ts";
import { refuseSameNames, withPosition } from "./open-tools.ts";
import { type NestedFiles, type NestingOptions, toolContext } from "./tool-context.ts";

interface CheckAgentOptions
  extends Pick<NestingOptions, "logger" | "rehearse" | "policyFile" | "tools" | "chain" | "loading"> {
  /** The files that have been checked so far. Several agents may call the same agent, and each check includes all levels below. */
  readonly known?: KnownFiles | undefined;
  /** Whether the code of function tools is loaded in a trusted folder, as in a run. Default: false. */
  readonly loadsCode?: boolean | undefined;
}

class KnownFiles {
  readonly #problems = new Map<string, Promise<readonly FileProblem[]>>();
  readonly #names = new Map<string, Promise<readonly string[] | undefined>>();

  problemsOf(chain: AgentChain, find: () => Promise<readonly FileProblem[]>): Promise<readonly FileProblem[]> {
    return findOnce(this.#problems, chain, find);
  }

  namesOf(
    chain: AgentChain,
    find: () => Promise<readonly string[] | undefined>,
  ): Promise<readonly string[] | undefined> {
    return findOnce(this.#names, chain, find);
  }
}

/** Runs a check once for each file and limit of levels, because that limit also decides whether a file can be used. */
function findOnce<T>(
  known: Map<string, Promise<T>>,
  { definition, depthLeft, limitedBy }: AgentChain,
  find: () => Promise<T>,
) {
  const key = JSON.stringify([definition.path, depthLeft, limitedBy]);
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/**
 * Finds everything that prevents the agent from running, as far as its files, the project's settings and the names of the set variables
 * show it. Starts no server, sends nothing, and loads no module from a folder that is not trusted. The messages are those of a run that
 * fails.
 */
export async function findAgentProblems(
  definition: AgentDefinition,
  project: Project,
  options: CheckAgentOptions = {},
): Promise<FileProblem[]> {
  const ofFiles = await checkFiles(definition, project, options, findAgentProblems);
  return [...listHostProblems(definition, project, options), ...ofFiles];
}

/**
 * Finds differences between the agent's behaviour and the apparent meaning of its file and the project's settings, as far as the files show
 * them.
 */
export async function findAgentWarnings(
  definition: AgentDefinition,
  project: Project,
  options: CheckAgentOptions = {},
): Promise<string[]> {
  const context = contextOf(definition, project, options, findFileProblems);
  const names = await knownToolNames(definition, context, options.tools);
  const hostBlock = await openHostBlock(definition, project.settings, names);
  const { observability } = definition.config;
  const unsupported = observability?.enabled ? unsupportedSentence(observability) : undefined;
  return [
    ...definition.warnings,
    ...listWarnings(definition, project, hostBlock, options),
    ...(unsupported === undefined ? [] : [unsupported]),
  ];
}

/** Finds the names of all tools of the agent and of its host; undefined if some names are only known once the tools are opened. */
export async function findToolNames(definition: AgentDefinition, project: Project): Promise<string[] | undefined> {
  const names = await knownToolNames(definition, contextOf(definition, project, {}, findFileProblems));
  if (names.hasUnknownTools) return undefined;
  const hostBlock = await openHostBlock(definition, project.settings, names);
  return [...names.tools, ...(hostBlock?.builtins ?? [])];
}

/** Finds problems that prevent every run of the model although the tools can be opened. */
export function listHostProblems(
  definition: AgentDefinition,
  project: Project,
  { rehearse }: CheckAgentOptions,
): FileProblem[] {
  const errors = rehearse === undefined ? project.findHostProblems() : []; // a script takes the place of the host
  return errors.map((error) => toProblem(error, definition));
}

/**
 * Rejects an agent if its files show that it cannot run. The host's own requirements are checked when the runtime is created, because a
 * program may have its own runtime.
 *
 * @throws AgentFileError with every problem.
 */
export async function requireUsable(
  definition: AgentDefinition,
  project: Project,
  options: CheckAgentOptions,
): Promise<void> {
  const [first, ...rest] = await findFileProblems(definition, project, options);
  if (first) throw new AgentFileError([first, ...rest]);
}

/** Finds problems that prevent the tools from being opened, or every run that uses them. */
export function findFileProblems(
  definition: AgentDefinition,
  project: Project,
  options: CheckAgentOptions,
): Promise<FileProblem[]> {
  return checkFiles(definition, project, options, findFileProblems);
}

type FindProblems = typeof findFileProblems;

/** Checks the files and settings of an agent. `findNested` does the same for nested agents. */
async function checkFiles(
  definition: AgentDefinition,
  project: Project,
  options: CheckAgentOptions,
  findNested: FindProblems,
): Promise<FileProblem[]> {
  const context = contextOf(definition, project, options, findNested);
  const names = await knownToolNames(definition, context, options.tools);
  const trusted = options.loadsCode ? await proofOf(definition, project) : undefined;
  const entries = await checkEntries(definition, project, { context, trusted });
  const block = await attempt(() => openHostBlock(definition, project.settings, names));
  const { value: hostBlock } = block;
  const hasBlock = block.errors.length === 0;
  const rules = await attempt(() =>
    hasBlock ? checkRules(definition, project, { names, hostBlock, ...options }) : {},
  );
  const errors = [...entries, ...block.errors, ...rules.errors];
  const ofOwn = errors.filter((error) => !(error instanceof AgentFileError));
  const ofNested = errors.flatMap((error) => (error instanceof AgentFileError ? error.problems : []));
  return withoutRepeats([...ofOwn.map((error) => toProblem(error, definition)).toSorted(byPosition), ...ofNested]);
}

/** Removes repeated problems, because several entries can have the same one, such as a credential that all of them need. */
function withoutRepeats(problems: readonly FileProblem[]): FileProblem[] {
  return [...new Map(problems.map((problem) => [formatFileProblem(problem), problem])).values()];
}

/** Returns the context for checking entries. Files of nested agents are checked in the same way, in the same project. */
function contextOf(
  definition: AgentDefinition,
  project: Project,
  { tools: _own, known = new KnownFiles(), ...options }: CheckAgentOptions,
  findNested: FindProblems,
): ToolKindContext {
  const below = { ...options, known };
  const nestedFiles: NestedFiles = {
    async check(chain) {
      const [first, ...rest] = await known.problemsOf(chain, async () => {
        const own = await findAgentProject(chain.definition, { project });
        return findNested(await readTrusted(chain.definition, own), own, { ...below, chain });
      });
      if (first) throw new AgentFileError([first, ...rest]);
    },
    names: (chain) =>
      known.namesOf(chain, async () => {
        const own = await findAgentProject(chain.definition, { project });
        const nested = await readTrusted(chain.definition, own);
        const context = contextOf(nested, own, { ...below, chain }, findNested);
        const named = await knownToolNames(nested, context);
        const block = await openHostBlock(nested, own.settings, named);
        if (named.hasUnknownTools || named.hasUnknownNested) return undefined;
        return [...new Set([...named.tools, ...named.nested, ...(block?.builtins ?? [])])];
      }),
  };
  return toolContext(definition, project, { ...options, nestedFiles });
}

interface EntryParts {
  readonly context: ToolKindContext;
  /** Missing if no code is loaded. */
  readonly trusted: TrustedFolder | undefined;
}

async function checkEntries(
  definition: AgentDefinition,
  project: Project,
  { context, trusted }: EntryParts,
): Promise<ConfigError[]> {
  const { config, toolKinds } = definition;
  const entries = (config.tools ?? []).map((tool, index) =>
    attempt(async () => {
      try {
        const kind = findKind(tool, toolKinds);
        await kind.check?.(tool, context);
        if (trusted) await kind.checkCode?.(tool, { ...context, trusted });
      } catch (error) {
        throw withPosition(error, `tools.${index}`, definition);
      }
    }),
  );
  const skills = attempt(async () => {
    const readable = await readableSkills(definition, project);
    if (readable.length > 0) await (await import("../skills/open-skills.ts")).openSkills([...readable], context);
  });
  const named = namedEntries(definition).map(({ field, names = [] }) => ({
    field,
    tools: names.map((name) => ({ name })),
  }));
  const same = attempt(() => refuseSameNames(named, definition));
  return (await Promise.all([...entries, skills, same])).flatMap(({ errors }) => errors);
}

/** Lists the skills that may be read: those outside of the folder only if the folder is trusted. */
async function readableSkills(definition: AgentDefinition, project: Project): Promise<readonly string[]> {
  const { skills = [] } = definition.config;
  const inside = skills.filter(
    (path) => !isOutside(definition.baseDir, path) && linkedSkills(path, definition.baseDir).length === 0,
  );
  if (inside.length === skills.length) return skills;
  return (await isTrusted(definition, project)) ? skills : inside;
}

/** Returns the proof of trust, without asking the user. A folder that is not trusted has no proof. */
async function proofOf(definition: AgentDefinition, project: Project): Promise<TrustedFolder | undefined> {
  if (!(await isTrusted(definition, project))) return undefined;
  return project.requireTrust(await effectiveFiles(definition, project));
}

async function isTrusted(definition: AgentDefinition, project: Project): Promise<boolean> {
  const states = await project.checkTrust(await effectiveFiles(definition, project));
  return states.every((state) => state.isTrusted);
}

interface RuleParts extends Pick<CheckAgentOptions, "policyFile" | "chain"> {
  readonly names: KnownToolNames;
  readonly hostBlock: OpenedAgentBlock | undefined;
}

/** Refuses rules about tools that the agent does not have. If some tool names are not known yet, the run checks the rules. */
async function checkRules(definition: AgentDefinition, project: Project, parts: RuleParts): Promise<void> {
  const { names, hostBlock, policyFile, chain } = parts;
  const { builtins = [], offers = () => true } = hostBlock ?? {};
  const ofProject = await project.policy({ policyFile, agent: definition.config.name });
  const own = agentPolicy(definition, { hostBlock, isRuled: ofProject !== undefined });
  const given = [...names.tools.filter((name) => offers(name)), ...names.nested, ...builtins];
  if (names.hasUnknownTools || names.hasUnknownNested || given.length === 0) return;
  const isNested = chain !== undefined; // the project's rules also apply to the callers, whose check knows all names
  for (const policy of isNested ? [own] : [own, ofProject]) await checkNames(policy, given, project);
}

/** Checks the names in a policy. The names of the host's own tools are only looked up if a rule needs them. */
async function checkNames(policy: Policy | undefined, given: readonly string[], { settings }: Project): Promise<void> {
  try {
    policy?.checkNames?.([...given, readResultName]);
  } catch {
    const { builtins } = (await loadHost(settings.provider)).features(settings.provider, settings);
    policy?.checkNames?.([...new Set([...given, ...Object.keys(builtins), readResultName])]);
  }
}

/** Formats a problem as `file:line:column: message`, which editors and terminals turn into a link. */
export function formatFileProblem({ message, position }: FileProblem): string {
  return `${formatPosition(position)}: ${message}`;
}

/** Returns the result of a check, or the ConfigError that it throws. */
async function attempt<T>(
  check: () => T | Promise<T>,
): Promise<{ readonly value?: T | undefined; readonly errors: readonly ConfigError[] }> {
  try {
    return { value: await check(), errors: [] };
  } catch (error) {
    if (isBridleError(error) && error instanceof ConfigError) return { errors: [error] };
    throw error;
  }
}

/** Turns the error into a problem of a file. Its message contains no position. */
function toProblem(error: ConfigError, { file, sources }: AgentDefinition): FileProblem {
  const { field, message } = error;
  const position = error.position ?? (field === undefined ? undefined : sources.positions[field]) ?? { file };
  const prefix = error.position ? `${formatPosition(error.position)}: ` : "";
  const text = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return { message: text, position, ...(field !== undefined && { field }) };
}
