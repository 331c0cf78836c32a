/**
 * Narrows a rule to some inputs: fields, such as `statement` or `order.id`, to regular expressions. Each has to be found
 * in its field, without regard to case; a field that is no text is taken as its JSON, and one that is missing fits none.
 */
export type InputPattern = Readonly<Record<string, string>>;

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
