/** Text that Claude Code adds to user messages (observed on 2.1.330). */

/** The text of a person, or nothing if the host wrote the text. */
export function ownWords(text: string): string {
  const words = text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim();
  return notes.some((note) => words.startsWith(note)) ? "" : words;
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
