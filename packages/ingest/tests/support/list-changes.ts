import { openContext } from "@bridle/context";

/** Returns the list of changes of a project. */
export function listChangesForTests(folder: { readonly projectDir: string; readonly stateDir: string }) {
  const context = openContext({ ...folder, connections: [] });
  try {
    return context.files.changes();
  } finally {
    void context.close();
  }
}
