/** Text that Claude Code puts into user messages on its own behalf (observed on 2.1.330). */

/** The text without the host's reminders, which may stand before and after the user's own words. */
export function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim();
}

/** True for a note by which the host makes the model go on; it does not begin a new turn. */
export function isHostNote(text: string): boolean {
  return notes.some((note) => text.startsWith(note));
}

const notes = ["Stop hook feedback:", "Output token limit hit."];
