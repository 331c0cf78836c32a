import type { SessionEntry } from "../connection/session-entries.ts";
import type { Question } from "./question-keys.ts";

type Asked = Pick<Question, "id" | "session">;

/**
 * The ids of the questions that agents ask in their own sessions, if calls of these entries started the agents. They are one text,
 * so that the same questions are equal in the next frame. Called for each frame of a long session: it reads the entries only if
 * another session asks, and keeps nothing of them.
 */
export function askedByCalls(questions: readonly Asked[], session: string, entries: readonly SessionEntry[]): string {
  const others = new Set(questions.filter((each) => each.session !== session).map(({ id }) => id));
  const found = new Set<string>();
  if (others.size === 0) return "";
  for (const entry of entries) {
    const id = entry.kind === "retry" ? undefined : entry.approvalId;
    if (id !== undefined && others.has(id)) found.add(id);
  }
  return [...found].join(" ");
}

/** The questions of a session, and those that its calls ask, as `askedByCalls` has them. */
export function questionsOf<Listed extends Asked>(
  questions: readonly Listed[],
  session: string,
  asked: string,
): readonly Listed[] {
  const ids = new Set(asked.split(" "));
  return questions.filter((each) => each.session === session || ids.has(each.id));
}
