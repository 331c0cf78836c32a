import type { PermissionStore, RememberedAnswer } from "@bridle/protocol";

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
