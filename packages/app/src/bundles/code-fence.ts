/** A text as a code block of Markdown. The fence is longer than any fence in the text. */
export function codeBlock(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
