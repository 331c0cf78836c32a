/** `bridle agent import` for a folder: which agent files load unchanged, which load after the import, and which do not load. */
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import { parse } from "yaml";
import { z } from "zod";
import { agentProblemSchema, checkAgentFile } from "../agents/agent-check.ts";
import type { AppContext } from "../context/app-context.ts";
import { leadsOutOf } from "../files/leads-out-of.ts";
import { type HolodeckConfig, readHolodeckConfig } from "./holodeck-config.ts";
import { importCases, readConfig } from "./import-agent-file.ts";
import { importHolodeckAgent } from "./import-holodeck.ts";

/** The output of `bridle agent import FOLDER --json`. */
export const agentSurveySchema = z.strictObject({
  folder: z.string(),
  files: z.array(
    z.strictObject({
      /** The file. For an example in Markdown, also the line where the example begins. */
      file: z.string(),
      loads: z.enum(["unchanged", "imported", "not"]),
      /** The number of changes that the import makes. */
      edits: z.int().nonnegative(),
      /** The problems that prevent loading: for `after import` those of the original, for `not` those of the imported file. */
      problems: z.array(agentProblemSchema),
    }),
  ),
  counts: z.strictObject({ unchanged: z.int(), afterImport: z.int(), not: z.int() }),
});
export type AgentSurvey = z.output<typeof agentSurveySchema>;

type SurveyContext = Pick<AppContext, "cwd" | "environment" | "packageRoot" | "trust">;

/**
 * Tries to load every agent file below a folder, including complete examples in Markdown. Changes nothing in the folder: each file is read
 * in a temporary copy. All variables are assumed to be set, and missing files that the agent file refers to are assumed to exist.
 */
export async function surveyAgentFiles(folder: string, context: SurveyContext): Promise<AgentSurvey> {
  const root = resolve(context.cwd, folder);
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|md)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !relative(root, path).split(sep).includes("node_modules"))
    .toSorted();
  const rows: AgentSurvey["files"] = [];
  for (const path of files) {
    const text = await readTextFile(path).catch(() => "");
    for (const candidate of candidatesIn(path, text)) {
      const shown = relative(root, path) + (candidate.line === undefined ? "" : `:${candidate.line}`);
      rows.push({ file: shown, ...(await tryFile(candidate, { folder: dirname(path), root }, context)) });
    }
  }
  const count = (loads: string) => rows.filter((row) => row.loads === loads).length;
  const counts = { unchanged: count("unchanged"), afterImport: count("imported"), not: count("not") };
  return { folder, files: rows, counts };
}

interface Candidate {
  readonly text: string;
  /** The line of the example in Markdown. */
  readonly line?: number;
  /** The text of `config.yaml` on the same Markdown page, if there is one. */
  readonly config?: string;
}

function candidatesIn(path: string, text: string): Candidate[] {
  if (extname(path) !== ".md") return isAgent(text) ? [{ text }] : [];
  const examples = examplesIn(text);
  return examples
    .filter((each) => isAgent(each.text))
    .map((each) => {
      const nearest = examples.filter(isConfig).toSorted((a, b) => distance(a, each) - distance(b, each))[0];
      return { ...each, ...(nearest && { config: nearest.text }) };
    });
}

function distance(a: Candidate, b: Candidate): number {
  return Math.abs((a.line ?? 0) - (b.line ?? 0));
}

function examplesIn(text: string): Candidate[] {
  return [...text.matchAll(/^```ya?ml[^\n]*\n(.*?)^```/gms)].map(({ 1: code = "", index }) => ({
    text: code,
    line: text.slice(0, index).split("\n").length + 1,
  }));
}

function isAgent(text: string): boolean {
  return ["name", "model", "instructions"].every((key) => keysOf(text).includes(key));
}

function isConfig({ text }: Candidate): boolean {
  return ["providers", "vectorstores"].some((key) => keysOf(text).includes(key));
}

function keysOf(text: string): string[] {
  try {
    const value: unknown = parse(text, { logLevel: "silent" });
    return isPlainObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

type Row = Omit<AgentSurvey["files"][number], "file">;

/** The folder of an agent file, and the surveyed folder that contains it. */
interface Place {
  readonly folder: string;
  readonly root: string;
}

async function tryFile({ text, config }: Candidate, place: Place, context: SurveyContext): Promise<Row> {
  const before = await check(text, place, context);
  if (before.length === 0) return { loads: "unchanged", edits: 0, problems: [] };
  const settings = config === undefined ? await readConfig(place.folder) : readHolodeckConfig(config);
  const { text: imported, edits } = tryImport(text, settings);
  const after = await check(imported, place, context, true);
  if (after.length === 0) return { loads: "imported", edits: edits.length, problems: before };
  return { loads: "not", edits: edits.length, problems: after };
}

function tryImport(text: string, config: HolodeckConfig) {
  try {
    return importHolodeckAgent(text, config);
  } catch {
    return { text, edits: [] };
  }
}

/** Returns the problems of a string as an agent file in a folder. */
async function check(
  text: string,
  place: Place,
  context: SurveyContext,
  isImported = false,
): Promise<AgentSurvey["files"][number]["problems"]> {
  const copy = await mkdtemp(join(tmpdir(), "bridle-survey-"));
  try {
    const inner = join(copy, "a", "b", "c"); // paths may lead upward
    makeFolders(inner);
    await writeFile(join(copy, "bridle.yaml"), "");
    await writeFile(join(inner, "agent.yaml"), text);
    await copyNamedFiles(text, place, inner);
    const cases = isImported ? await importCases(text, join(inner, "agent.yaml")) : undefined;
    if (cases !== undefined) await writeFile(resolve(inner, cases.name), cases.text);
    const environment = allSet(text, await readTextFile(join(inner, "config.yaml")).catch(() => ""));
    const { problems } = await checkAgentFile("agent.yaml", { ...context, cwd: inner, environment });
    return problems;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Copies the files that the text refers to. A file that is missing or outside of the surveyed folder is replaced with an example. */
async function copyNamedFiles(text: string, { folder, root }: Place, copy: string): Promise<void> {
  const { namedFiles } = await import("@bridle/agent");
  const named = namedFiles(parse(text, { logLevel: "silent" })).filter(({ name }) => !name.includes("${"));
  await copyInside(join(folder, "config.yaml"), join(copy, "config.yaml"), root);
  for (const { name, path } of named) {
    const to = resolve(copy, name);
    if (!to.startsWith(join(copy, "..", "..", ".."))) continue; // an absolute path, or one that leads out of the copy
    makeFolders(dirname(to));
    if (!(await copyInside(resolve(folder, name), to, root))) await makeUp(to, path);
  }
}

/** Copies a file or folder of the surveyed folder, and returns whether it did. A link that leads out of the folder is not followed. */
async function copyInside(from: string, to: string, root: string): Promise<boolean> {
  try {
    if (await leadsOutOf(root, from)) return false;
    await cp(from, to, { recursive: true, filter: (each) => !unread.has(basename(each)) });
    return true;
  } catch {
    return false; // the path does not exist or cannot be read
  }
}

/** Folders that contain no documents of an agent and can be large. */
const unread: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Creates the target of a setting: a skill's folder, another folder, or a file. */
async function makeUp(to: string, path: readonly PropertyKey[]): Promise<void> {
  const isSkill = path[0] === "skills";
  if (isSkill || path.includes("working_directory")) makeFolders(to);
  else await writeFile(to, contents[extname(to)] ?? "An example.\n", { flag: "wx" }).catch(() => undefined);
  const skill = `---\nname: ${basename(to)}\ndescription: An example.\n---\nAn example.\n`;
  if (isSkill) await writeFile(join(to, "SKILL.md"), skill);
}

const contents: Readonly<Record<string, string>> = {
  ".json": '{ "type": "object" }\n',
  ".yaml": "- input: An example.\n",
  ".yml": "- input: An example.\n",
  ".jsonl": '{ "input": "An example." }\n',
};

/** Variables that settings use without naming them. */
const implied = [
  "ANTHROPIC_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "AZURE_OPENAI_API_KEY",
  "AWS_REGION",
  "CLOUD_ML_REGION",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "ANTHROPIC_FOUNDRY_RESOURCE",
];

/** Returns a value for every variable that the texts refer to. The value is a URL, because many settings accept only a URL. */
function allSet(...texts: readonly string[]): Record<string, string> {
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name = ""]) => name));
  return Object.fromEntries([...implied, ...names].map((name) => [name, "https://value.example"]));
}
