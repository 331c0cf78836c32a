/** Facts about a candidate by name, each a small number. */
export type Features = Readonly<Record<string, number>>;

export function numberOf(claim: boolean): number {
  return claim ? 1 : 0;
}
