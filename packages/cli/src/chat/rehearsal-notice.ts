/** Tells the user that no model answers, so that the text of a script is not mistaken for a model's answer. */
export function rehearsalNotice(script: string): string {
  return `Rehearsed: the answers come from ${script}, not from a model. Tools, rules and files are real.`;
}
