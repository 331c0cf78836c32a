import { ConfigError } from "@bridle/protocol";
import { StateFile, type StateFileDefinition } from "./state-file.ts";

export class NotesError extends ConfigError {}

export const firstFormat = "CREATE TABLE notes (text TEXT NOT NULL) STRICT";
const secondFormat = "ALTER TABLE notes ADD COLUMN author TEXT; CREATE INDEX notes_by_author ON notes (author)";

/** Returns a kind of file with two formats. */
export function notesWith(more: Partial<StateFileDefinition> = {}): StateFile {
  return new StateFile({
    formats: [firstFormat, secondFormat],
    subject: "The notes in",
    isPlural: true,
    again: "write them again",
    error: NotesError,
    ...more,
  });
}
