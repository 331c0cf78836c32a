/** Text that Claude Code adds to user messages (observed on 2.1.330). */

/** Returns the user's own text, or an empty string if the host wrote all of it. */
export function ownWords(text: string): string {
  const words = withoutReminders(text).trim();
  return notes.some((note) => words.startsWith(note)) ? "" : words;
}

const [reminderStart, reminderEnd] = ["<system-reminder>", "</system-reminder>"];

/** Removes the host's reminders from a text, except an unterminated one. Runs in linear time. */
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

const wholeReminder = /^\s*<system-reminder>(?:(?!<\/?system-reminder>)[\s\S])*<\/system-reminder>\s*$/;
const tokensNote = /\n\n<system-reminder>\n<total_tokens>[^<]{0,100}<\/total_tokens>\n<\/system-reminder>$/;

/**
 * Returns the text of a tool result without the note that Claude Code adds for older models, such as Sonnet 4. After blocks, the note is a
 * separate block, and the text before it gets a line feed. After a string, the note follows an empty line. A reminder in the tool's own
 * text stays.
 */
export function ownResult(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  const isNote = texts.length > 1 && wholeReminder.test(last);
  const own = isNote ? texts.slice(0, -1).join("\n").replace(/\n$/, "") : texts.join("\n");
  return own.replace(tokensNote, "");
}

/** The beginning of the note that Claude Code adds after the received part of a response whose stream was cut. */
export const cutOffNote = "Your response above was cut off mid-stream.";

/** The beginnings of notes that make the model continue. These notes do not begin a new turn. */
const notes = [
  cutOffNote,
  "[structured-output-enforce]",
  "Output token limit hit.",
  "[Request interrupted by user",
  "Your response above was stopped by",
];
