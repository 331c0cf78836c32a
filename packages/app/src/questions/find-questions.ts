import { resolve } from "node:path";
import { type ContextQuestion, formatQuestionProblem, readQuestions } from "@bridle/context";
import { ConfigError, counted, NotFoundError, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { chooseConnections } from "../warehouses/choose-connections.ts";

export interface QuestionSelection {
  /** A file with questions. Default: all files in `context/questions`. */
  readonly file?: string | undefined;
  /** The names of the questions. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Selects questions that have one of these tags. */
  readonly tags?: readonly string[] | undefined;
}

/** Finds the questions. Throws ConfigError if a file is invalid, UsageError if no question matches. */
export function findQuestions(
  { file, cases, tags }: QuestionSelection,
  context: ProjectContext,
): readonly ContextQuestion[] {
  const { projectDir } = context.project;
  const connections = chooseConnections(undefined, context);
  const files = file === undefined ? undefined : [resolve(context.cwd, file)];
  const { questions, problems } = readQuestions({ projectDir, files, connections });
  const [first, ...others] = problems;
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` And ${counted(others.length, "other problem")}.`;
    throw new ConfigError(`${formatQuestionProblem(first)}${more}`, { field: "context/questions" });
  }
  if (questions.length === 0) {
    throw new NotFoundError("There are no questions. Write some to context/questions/NAME.yaml, or name a file.");
  }
  const tagged =
    tags === undefined ? questions : questions.filter((each) => each.tags?.some((tag) => tags.includes(tag)));
  if (tagged.length === 0) throw unknownTag(tags ?? [], questions);
  if (cases === undefined) return tagged;
  return cases.map((name) => {
    const found = tagged.find((each) => each.name === name);
    if (found) return found;
    throw new NotFoundError(
      `There is no question "${name}".${suggestion(
        name,
        tagged.map((each) => each.name),
      )}`,
    );
  });
}

function unknownTag([tag = ""]: readonly string[], questions: readonly ContextQuestion[]): NotFoundError {
  const known = [...new Set(questions.flatMap((each) => each.tags ?? []))];
  const remedy =
    known.length === 0 ? " No question has tags." : suggestion(tag, known) || ` There are: ${known.join(", ")}.`;
  return new NotFoundError(`No question has the tag ${tag}.${remedy}`);
}
