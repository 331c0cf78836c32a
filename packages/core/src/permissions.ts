import type { InputPattern } from "./input-pattern.ts";

/** What a person answered, and for which calls it holds from then on. */
export interface RememberedAnswer {
  /** The name as the model has it. */
  readonly tool: string;
  /** Only for inputs like this; missing: for all. */
  readonly when?: InputPattern;
  readonly decision: "allow" | "deny";
  /** `session` ends with the session, or with the run where there is none; `project` and `always` are kept. */
  readonly scope: "session" | "project" | "always";
  /** Who answered. */
  readonly by: string;
  /** When, as ISO 8601. */
  readonly at: string;
}

/** Where answers are kept that outlive a session: `project` for one project, `always` for all of a person's. */
export interface PermissionStore {
  /** Rejects when they cannot be read; then calls are denied. */
  read(): Promise<readonly RememberedAnswer[]>;
  add(answer: RememberedAnswer): Promise<void>;
}

/** Keeps answers as long as it is referred to. */
export function createMemoryPermissions(answers: readonly RememberedAnswer[] = []): PermissionStore {
  let kept = answers;
  return {
    read: async () => kept,
    async add(answer) {
      kept = [...kept, answer];
    },
  };
}

/** The answers that hold for a run: those of its session, and those that outlive it. */
export function joinPermissions(session: PermissionStore, lasting: PermissionStore): PermissionStore {
  return {
    read: async () => [...(await session.read()), ...(await lasting.read())],
    add: (answer) => (answer.scope === "session" ? session : lasting).add(answer),
  };
}
