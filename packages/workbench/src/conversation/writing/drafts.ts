/** What a person has written and not sent, for each session, so that a reload loses nothing. */
const prefix = "bridle.draft.";
/** Drafts beyond this many are forgotten, the oldest first. */
const mostDrafts = 50;

export function readDraft(session: string): string {
  return localStorage.getItem(prefix + session) ?? "";
}

export function writeDraft(session: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(prefix + session);
    else localStorage.setItem(prefix + session, text);
  } catch {
    // full, or not allowed: the text is still on the page
  }
  const drafts = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  for (const key of drafts.slice(0, Math.max(0, drafts.length - mostDrafts))) localStorage.removeItem(key);
}
