import type { PermissionStore, RememberedAnswer } from "@bridle/protocol";

/** Stores answers in memory. */
export function createMemoryPermissions(answers: readonly RememberedAnswer[] = []): PermissionStore {
  let kept = answers;
  return {
    read: async () => kept,
    async add(answer) {
      kept = [...kept, answer];
    },
  };
}

/** Joins the answers that apply to a run: those of its session and the stored ones. */
export function joinPermissions(session: PermissionStore, lasting: PermissionStore): PermissionStore {
  return {
    read: async () => [...(await session.read()), ...(await lasting.read())],
    add: (answer) => (answer.scope === "session" ? session : lasting).add(answer),
  };
}

/**
 * Joins the answers that apply to a nested run: its caller's, and its own that outlive sessions. New answers are stored with the caller.
 */
export function permissionsBelow(caller: PermissionStore, lasting: PermissionStore): PermissionStore {
  return {
    read: async () => [...(await caller.read()), ...(await lasting.read())],
    add: (answer) => caller.add(answer),
  };
}
