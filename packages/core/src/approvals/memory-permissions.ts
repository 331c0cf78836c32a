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

/** The answers that apply to a run: of its session, and stored ones. */
export function joinPermissions(session: PermissionStore, lasting: PermissionStore): PermissionStore {
  return {
    read: async () => [...(await session.read()), ...(await lasting.read())],
    add: (answer) => (answer.scope === "session" ? session : lasting).add(answer),
  };
}

/** The answers that apply to a nested run: those of its caller, and its own that outlive sessions. New ones are the caller's. */
export function permissionsBelow(caller: PermissionStore, lasting: PermissionStore): PermissionStore {
  return {
    read: async () => [...(await caller.read()), ...(await lasting.read())],
    add: (answer) => caller.add(answer),
  };
}
