import type { SessionEntry } from "../connection/session-entries.ts";
import type { Question } from "./question-keys.ts";

type Asked = Pick<Question, "id" | "session">;

/**
 * Returns the ids of the questions that agents ask in their own sessions, if calls of these entries started the agents. The ids are joined
 * to one string, so that the same questions compare as equal in the next frame. This function is called for each frame of a long session,
 * so it reads the entries only if another session asks, and stores nothing.
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

/** Returns a session's questions, and its calls' questions, which `askedByCalls` returned. */
export function questionsOf<Listed extends Asked>(
  questions: readonly Listed[],
  session: string,
  asked: string,
): readonly Listed[] {
  const ids = new Set(asked.split(" "));
  return questions.filter((each) => each.session === session || ids.has(each.id));
}
