import type { ProjectIngest } from "@bridle/data";
import type { MemoryPlaces, MemoryScope, Remembered, ScopedMemory } from "@bridle/ingest";
import { InvalidRequestError, isBridleError, NotFoundError, omitUndefined, suggestion } from "@bridle/protocol";
import { userName } from "../../approvals/user-name.ts";
import type { ProjectContext } from "../../context/project-context.ts";
import { type IngestChoices, type IngestEffects, withIngest } from "../../ingest/open-ingest.ts";
import {
  type ForgottenFacts,
  forgottenFactsSchema,
  type ListedFact,
  type ListedMemory,
  listedMemorySchema,
  type RememberedText,
  rememberedTextSchema,
} from "./memory-results.ts";

/** A text to remember for the user. */
export interface TextToRemember {
  readonly text: string;
  /** `project`: for everyone who uses the project, stored in its files. `user`: only for this user, in all projects. Default: `project`. */
  readonly scope?: MemoryScope | undefined;
  /** The date when the fact became true, such as 2026-03-01. */
  readonly since?: string | undefined;
  /** The session in which the fact was mentioned. */
  readonly session?: string | undefined;
  /** Whether to store the text as one statement instead of asking a model to extract its facts. Default: false. */
  readonly isVerbatim?: boolean | undefined;
  /** Whether the text was captured although nobody asked to remember it. Hearsay and short-lived news are then rejected. Default: false. */
  readonly isCaptured?: boolean | undefined;
}

interface RememberEffects extends IngestEffects {
  readonly signal: AbortSignal;
  /** Called with a sentence if the model cannot be called. The text is then stored unchanged. */
  onWarning(warning: string): void;
}

/**
 * Remembers a text, after the same checks as everything that ingest writes.
 *
 * @throws InvalidRequestError if the text is empty or too long; ConfigError if the memory file is invalid.
 */
export function rememberText(
  { text, scope = "project", since, session, isVerbatim = false, isCaptured = false }: TextToRemember,
  choices: IngestChoices,
  context: ProjectContext,
  { signal, onWarning, ...effects }: RememberEffects,
): Promise<RememberedText> {
  return withIngest(choices, context, effects, async (ingest) => {
    const { remember } = await import("@bridle/ingest");
    const told = { by: userName(), since, session, isCaptured };
    const options = { memory: ingest.memory(scope), gates: ingest.gates(), ...told, signal };
    const models = isVerbatim || !hasModel(ingest) ? undefined : ingest.models();
    const remembered = await remember(text, { ...options, models }).catch((error: unknown) => {
      if (models === undefined || signal.aborted || !isModelError(error)) throw error;
      onWarning(`No model was asked for the facts in the text, so it is stored unchanged: ${error.message}`);
      return remember(text, options);
    });
    return toRememberedText(remembered, scope);
  });
}

function hasModel(ingest: ProjectIngest): boolean {
  return ingest.models().modelOf("extract") !== "";
}

/**
 * Whether an error comes from the model. An empty text is the user's fault, and an invalid memory file is reported again without a model.
 */
function isModelError(error: unknown): error is Error {
  return isBridleError(error) && !(error instanceof InvalidRequestError);
}

function toRememberedText(remembered: Remembered, scope: MemoryScope): RememberedText {
  const none = { scope, ids: [], statements: [], refused: [] };
  switch (remembered.kind) {
    case "remembered": {
      const { fact, file, refused } = remembered;
      const { id, statements } = fact;
      return rememberedTextSchema.parse({ outcome: "remembered", scope, ids: [id], file, statements, refused });
    }
    case "known":
      return rememberedTextSchema.parse({ ...none, outcome: "known", ids: remembered.ids });
    case "refused":
      return rememberedTextSchema.parse({ ...none, outcome: "refused", refused: remembered.reasons });
  }
}

/** Lists the remembered facts, newest first. Throws ConfigError if a file is invalid. */
export async function listMemory(
  { scope }: { readonly scope?: MemoryScope | undefined },
  context: ProjectContext,
): Promise<ListedMemory> {
  const memories = await openMemories(context, scope);
  const facts = memories.flatMap((memory) => memory.facts().map((fact) => ({ ...fact, scope: memory.scope })));
  return listedMemorySchema.parse({ facts: facts.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(omitUndefined) });
}

/** Returns one fact by its id. Throws NotFoundError if it does not exist. */
export async function showFact(id: string, context: ProjectContext): Promise<ListedFact> {
  const { facts } = await listMemory({}, context);
  return facts.find((fact) => fact.id === id) ?? refuseUnknown(id, facts);
}

/**
 * Forgets facts by their ids: in the memory files, in decisions, in the data of ingest, and on the pages, which are written again.
 *
 * @throws NotFoundError if an id is unknown, and IngestRunningError if an ingest is in progress; in both cases nothing is forgotten.
 * ConfigError if a file cannot be written.
 */
export async function forgetFacts(
  ids: readonly string[],
  context: ProjectContext,
  effects: IngestEffects & { readonly signal: AbortSignal },
): Promise<ForgottenFacts> {
  const { facts } = await listMemory({}, context);
  for (const id of ids) if (!facts.some((fact) => fact.id === id)) refuseUnknown(id, facts);
  const ofProject = facts.some(({ id, scope }) => scope === "project" && ids.includes(id));
  return withIngest({}, context, effects, async (ingest) => {
    const forgotten =
      ofProject && ingest.hasStore
        ? await forgetIngested(ids, ingest, context, effects.signal)
        : { files: [], ...(await forgetInFiles(ids, ingest, context)) };
    const open = forgotten.failed.map(({ reason }) => `${reason} It may still have the text.`);
    return forgottenFactsSchema.parse({ ids, ...forgotten, left: [...forgotten.left, ...open] });
  });
}

/** Forgets nothing during a run, because the run has already read the facts. */
async function forgetIngested(
  ids: readonly string[],
  ingest: ProjectIngest,
  context: ProjectContext,
  signal: AbortSignal,
): Promise<Omit<ForgottenFacts, "ids">> {
  const { runs } = ingest.store;
  const run = runs.begin(new Date());
  const forgotten = await forgetInFiles(ids, ingest, context).finally(() => runs.end(run, new Date()));
  const { report } = await ingest.run({ isOwnOnly: true, signal });
  const files = report.files.map(({ file }) => file);
  return { files, failed: [...forgotten.failed, ...report.failedFiles], left: forgotten.left };
}

async function forgetInFiles(
  ids: readonly string[],
  ingest: ProjectIngest,
  context: ProjectContext,
): Promise<Pick<ForgottenFacts, "failed" | "left">> {
  const { forget } = await import("@bridle/ingest");
  const store = ingest.hasStore ? ingest.store : undefined;
  const [failed, left]: [ForgottenFacts["failed"][number][], string[]] = [[], []];
  for (const memory of await openMemories(context)) {
    const forgotten = await forget(ids, { ...ingest.places, memory, store });
    failed.push(...forgotten.failed);
    left.push(...forgotten.left);
  }
  return { failed, left };
}

async function openMemories({ project }: ProjectContext, scope?: MemoryScope): Promise<readonly ScopedMemory[]> {
  await project.requireOwnState();
  const { memoryScopes, ScopedMemory: Memory } = await import("@bridle/ingest");
  const { projectDir, folder: stateDir, userFolder: userDir, settings } = project;
  const places: MemoryPlaces = {
    projectDir,
    stateDir,
    userDir,
    commit: project.commitPermission,
    environment: settings.environment,
  };
  const wanted = memoryScopes.filter(
    (each) => (scope ?? each) === each && (each === "project" || userDir !== undefined || scope === "user"),
  );
  return wanted.map((each) => new Memory(each, places));
}

function refuseUnknown(id: string, facts: readonly ListedFact[]): never {
  const ids = facts.map((fact) => fact.id);
  const remedy = suggestion(id, ids) || ' List them with "bridle memory list".';
  throw new NotFoundError(`Nothing with the id ${id} is remembered.${remedy}`);
}
