import { resolve } from "node:path";
import type { AppContext } from "../context/app-context.ts";
import { trustCreated } from "../trust/trust-folder.ts";
import { type Findings, findBackends } from "./findings.ts";
import type { InitQuestions } from "./init-questions.ts";
import { type InitReport, reportFindings } from "./init-report.ts";
import { chooseFolder, chooseModel, firstProvider, type GivenChoices, needsSearch } from "./plan-project.ts";
import { projectFiles } from "./project-files.ts";
import { findProvider, variablesMissing } from "./providers.ts";
import { requireWritable, writeProject } from "./write-project.ts";

export interface CreateProjectOptions {
  /** Whether to overwrite existing files. */
  readonly force: boolean;
  /** Asks the user. If undefined, nothing is asked. */
  readonly questions: InitQuestions | undefined;
  readonly signal: AbortSignal;
  /** Called around the search for logins, keys and servers, which takes some seconds. */
  whileSearching(search: () => Promise<Findings>): Promise<Findings>;
}

export interface CreatedProject {
  readonly report: InitReport;
  /** What the search found; `undefined` without a search. */
  readonly findings: Findings | undefined;
  /** The folder as the user named it. */
  readonly shown: string;
}

/**
 * Creates a project from a template. Refuses invalid options before the search for hosts, and writes nothing until all choices are made.
 * Throws UsageError and ConfigError.
 */
export async function createProject(
  given: GivenChoices,
  context: AppContext,
  { force, questions, signal, whileSearching }: CreateProjectOptions,
): Promise<CreatedProject> {
  const { cwd, packageRoot, environment } = context;
  const shown = await chooseFolder(given, questions);
  const template = given.template ?? (await questions?.template()) ?? "support";
  const target = { folder: resolve(cwd, shown), packageRoot, environment };
  const draft = { template, provider: firstProvider, model: "", agent: given.name, ollama: "" } as const;
  const drafted = await projectFiles(draft, target);
  await requireWritable({ folder: target.folder, shown, force, files: drafted });
  const agent = given.name ?? (await questions?.agentName(nameOfAgent(drafted)));
  const findings = needsSearch(given) ? await whileSearching(() => findBackends(context, signal)) : undefined;
  signal.throwIfAborted();
  const chosen = await chooseModel(given, findings, questions, context);
  const files = await projectFiles({ ...draft, ...chosen, agent }, target);
  await writeProject({ folder: target.folder, shown, files, force, signal });
  await trustCreated(
    target.folder,
    files.map(({ name }) => name),
    context,
  );
  const report: InitReport = {
    folder: target.folder,
    template,
    provider: chosen.provider,
    model: chosen.model,
    files: files.map(({ name }) => name),
    found: reportFindings(findings),
    missing: [...variablesMissing(findProvider(chosen.provider), environment)],
  };
  return { report, findings, shown };
}

function nameOfAgent(files: readonly { readonly name: string; readonly text: string }[]): string {
  const text = files.find(({ name }) => name === "agent.yaml")?.text ?? "";
  return /^name: *"?([^"\n]*)"?$/m.exec(text)?.[1] ?? "agent";
}
