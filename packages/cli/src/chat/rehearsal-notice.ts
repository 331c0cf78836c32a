/** Says that no model answers. A reader must not take the words of a script for a model's. */
export function rehearsalNotice(script: string): string {
  return `Rehearsed: the answers come from ${script}, not from a model. Tools, rules and files are real.`;
}
