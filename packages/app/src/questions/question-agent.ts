import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentDefinition, defineAgent } from "@bridle/agent";
import { type ContextQuestion, contextQuestionSchema } from "@bridle/context";
import { readTextFileSync, sha256 } from "@bridle/core";
import { type EffectiveFile, type FolderTrust, systemErrorCode } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";

/** Creates the agent that answers the questions: with all knowledge of the context, or only with the structure of the databases. */
export async function defineQuestionAgent(
  questions: readonly ContextQuestion[],
  knowledge: "all" | "structure",
  { project, trust }: Pick<ProjectContext, "project" | "trust">,
): Promise<AgentDefinition> {
  const cases = questions.map((question) => ({
    name: question.name,
    input: question.question,
    turn_config: { question: withoutUndefined(question) },
  }));
  const agent = {
    name: "context",
    description: knowledge === "all" ? "With the context" : "Without the context",
    instructions: { inline: "Answer the question from the data of this project." },
    tools: [{ type: "context" as const, knowledge }],
    test_cases: cases,
  };
  const definition = await defineAgent(agent, { environment: project.environment, folder: project.projectDir });
  return { ...definition, file: "context/questions", trust: new TrustBeside(definition.path, trust) };
}

/**
 * The trust decisions for the project's files. The agent is built in, so there is no agent file that users could trust. It uses the
 * connections in `bridle.yaml`, which must be trusted.
 */
class TrustBeside implements FolderTrust {
  readonly #own: string;
  readonly #trust: FolderTrust;

  constructor(own: string, trust: FolderTrust) {
    this.#own = own;
    this.#trust = trust;
  }

  check(files: readonly EffectiveFile[]) {
    return this.#trust.check(files.map((file) => (file.path === this.#own ? { ...file, effects: [] } : file)));
  }

  require(files: readonly EffectiveFile[]) {
    return this.#trust.require(files.filter(({ path }) => path !== this.#own));
  }
}

/** Formats a value as JSON, without keys that have no value. */
function withoutUndefined(question: ContextQuestion) {
  return JSON.parse(JSON.stringify(question));
}

/** Finds the question of a test case. */
export function questionOf(values: Readonly<Record<string, unknown>> | undefined): ContextQuestion {
  return contextQuestionSchema.parse(values?.question);
}

/** Hashes the files in `context/models` and `context/tables`, so that comparing test runs shows when users changed them. */
export function contextContents(projectDir: string): Readonly<Record<string, string>> {
  const files = ["models", "tables"].flatMap((name) => filesIn(join(projectDir, "context", name)));
  const texts = files.toSorted().map((file) => [file.slice(projectDir.length), sha256(readTextFileSync(file))]);
  return texts.length === 0 ? {} : { "the files of context": sha256(JSON.stringify(texts)).slice(0, 12) };
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw error;
  }
}
