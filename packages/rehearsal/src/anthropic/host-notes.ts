/** Text that Claude Code adds to user messages (observed on 2.1.330). */

/** The text of a person, or nothing if the host wrote the text. */
export function ownWords(text: string): string {
  const words = withoutReminders(text).trim();
  return notes.some((note) => words.startsWith(note)) ? "" : words;
}

const [reminderStart, reminderEnd] = ["<system-reminder>", "</system-reminder>"];

/** A text without the host's reminders. One without an end is kept. Takes time in proportion to the text. */
function withoutReminders(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf(reminderStart); start >= 0; start = text.indexOf(reminderStart, at)) {
    const end = text.indexOf(reminderEnd, start);
    if (end < 0) break;
    parts.push(text.slice(at, start));
    at = end + reminderEnd.length;
  }
  return parts.join("") + text.slice(at);
}

/** The result of a tool without the reminders that the host adds after it (observed with older models). */
export function ownResult(text: string): string {
  let end = text.length;
  for (let whole = text.trimEnd(); whole.endsWith(reminderEnd); whole = text.slice(0, end).trimEnd()) {
    const start = whole.lastIndexOf(reminderStart);
    if (start < 0) break;
    end = text.slice(0, start).replace(/\n{1,2}$/, "").length;
  }
  return text.slice(0, end);
}

/** The beginning of the note after the rest of a response whose stream was cut. */
export const cutOffNote = "Your response above was cut off mid-stream.";

/** The beginnings of notes that make the model continue. They do not begin a new turn. */
const notes = [
  cutOffNote,
  "[structured-output-enforce]",
  "Output token limit hit.",
  "[Request interrupted by user",
  "Your response above was stopped by",
];
