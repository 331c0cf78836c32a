/** Tells the user that no model answers, so that the words of a script are not mistaken for those of a model. */
export function rehearsalNotice(script: string): string {
  return `Rehearsed: the answers come from ${script}, not from a model. Tools, rules and files are real.`;
}
