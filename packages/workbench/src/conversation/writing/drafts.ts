/** The unsent text of each session. The text is kept when the page is reloaded. */
const prefix = "bridle.draft.";

/** Returns the stored text of a session; empty if there is none. */
export function readDraft(session: string): string {
  try {
    return localStorage.getItem(prefix + session) ?? "";
  } catch {
    return "";
  }
}

/** Stores the text. If the browser forbids storage, or the storage is full, the text exists only on the page. */
export function writeDraft(session: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(prefix + session);
    else localStorage.setItem(prefix + session, text);
  } catch {
    // the text is still on the page
  }
}
