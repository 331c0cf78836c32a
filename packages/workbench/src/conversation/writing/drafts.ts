/** The unsent text of each session. It survives a reload. */
const prefix = "bridle.draft.";

/** A browser may forbid storage, or have no room: then the text is on the page only. */
export function readDraft(session: string): string {
  try {
    return localStorage.getItem(prefix + session) ?? "";
  } catch {
    return "";
  }
}

export function writeDraft(session: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(prefix + session);
    else localStorage.setItem(prefix + session, text);
  } catch {
    // the text is still on the page
  }
}
