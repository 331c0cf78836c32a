import type { ApprovalAnswer } from "@bridle/protocol";

/** The meaning of a line: an answer, a request to edit the input or to view everything, or unknown. */
export type TypedAnswer =
  | { readonly kind: "answer"; readonly answer: ApprovalAnswer }
  | { readonly kind: "edit" | "view" | "unknown" };

interface Key {
  readonly key: string;
  readonly label: string;
  readonly meaning: TypedAnswer;
  /** Whether to remember the answer. Has no effect if the rule asks every time. */
  readonly isRemembered?: boolean;
}

const answer = (given: ApprovalAnswer): TypedAnswer => ({ kind: "answer", answer: given });
const allow = (scope: "session" | "project" | "always") => answer({ decision: "allow", scope });

const keys: readonly Key[] = [
  { key: "y", label: "yes, once", meaning: answer({ decision: "allow" }) },
  { key: "s", label: "for this session", meaning: allow("session"), isRemembered: true },
  { key: "p", label: "for this project", meaning: allow("project"), isRemembered: true },
  { key: "a", label: "always", meaning: allow("always"), isRemembered: true },
  { key: "n", label: "no", meaning: answer({ decision: "deny" }) },
  { key: "x", label: "no, and stop", meaning: answer({ decision: "deny-and-stop" }) },
  { key: "e", label: "edit the input", meaning: { kind: "edit" } },
];

/** Returns the keys of a question, with their labels. */
export function keysFor({ everyTime }: { everyTime: boolean }): readonly Pick<Key, "key" | "label">[] {
  return keys.filter(({ isRemembered = false }) => !(everyTime && isRemembered));
}

/** Parses a line: a key, optionally followed by a message to the model. */
export function parseTypedAnswer(line: string, asked: { everyTime: boolean }): TypedAnswer {
  const [, word = "", message = ""] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const key = word.toLowerCase().replace(/^(yes|no)$/, (long) => long[0] ?? long);
  if (key === "v") return { kind: "view" };
  const found = keysFor(asked).some((each) => each.key === key) && keys.find((each) => each.key === key);
  if (!found) return { kind: "unknown" };
  if (found.meaning.kind !== "answer" || message === "") return found.meaning;
  return answer({ ...found.meaning.answer, message });
}
