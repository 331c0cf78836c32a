/** Text that Claude Code puts into user messages on its own behalf (observed on 2.1.330). */

/** What a person wrote in a text, or nothing where the host wrote it. */
export function ownWords(text: string): string {
  const words = text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim();
  return notes.some((note) => words.startsWith(note)) ? "" : words;
}

/** How the note begins that follows on what is left of a response whose stream was cut. */
export const cutOffNote = "Your response above was cut off mid-stream.";

/** How notes begin by which the host makes the model go on; they do not begin a new turn. */
const notes = [
  cutOffNote,
  "[structured-output-enforce]",
  "Output token limit hit.",
  "[Request interrupted by user",
  "Your response above was stopped by",
];
