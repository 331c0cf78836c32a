import type { ApprovalAnswer } from "@bridle/protocol";

/** What a line means: an answer, another input to be typed, all of the preview, or nothing that is known. */
export type Typed =
  | { readonly kind: "answer"; readonly answer: ApprovalAnswer }
  | { readonly kind: "edit" | "view" | "unknown" };

interface Key {
  readonly key: string;
  readonly says: string;
  readonly typed: Typed;
  /** Without effect where a rule asks each time. */
  readonly remembers?: boolean;
}

const answer = (given: ApprovalAnswer): Typed => ({ kind: "answer", answer: given });

const keys: readonly Key[] = [
  { key: "y", says: "yes, once", typed: answer({ decision: "allow" }) },
  { key: "s", says: "for this session", typed: answer({ decision: "allow", scope: "session" }), remembers: true },
  { key: "p", says: "for this project", typed: answer({ decision: "allow", scope: "project" }), remembers: true },
  { key: "a", says: "always", typed: answer({ decision: "allow", scope: "always" }), remembers: true },
  { key: "n", says: "no", typed: answer({ decision: "deny" }) },
  { key: "x", says: "no, and stop", typed: answer({ decision: "deny-and-stop" }) },
  { key: "e", says: "edit the input", typed: { kind: "edit" } },
];

/** The keys that may be typed, each with what it says. */
export function keysFor({ everyTime }: { everyTime: boolean }): readonly Pick<Key, "key" | "says">[] {
  return keys.filter(({ remembers = false }) => !(everyTime && remembers));
}

/** The words after a key are for the model. */
export function parseAnswer(line: string, asked: { everyTime: boolean }): Typed {
  const [, word = "", message = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  const key = word.toLowerCase().replace(/^(yes|no)$/, (long) => long[0] ?? long);
  if (key === "v") return { kind: "view" };
  const found = keysFor(asked).some((each) => each.key === key) && keys.find((each) => each.key === key);
  if (!found) return { kind: "unknown" };
  if (found.typed.kind !== "answer" || message === "") return found.typed;
  return answer({ ...found.typed.answer, message });
}
