const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Scales the bars of one measure. If any value is negative, there is an axis, and negative bars are to the left of it. */
export class BarScale {
  readonly #perUnit: number;
  readonly #left: number;

  /** `room` is the maximum width of a bar and the axis, in columns. */
  constructor(values: readonly (number | undefined)[], room: number) {
    const known = values.filter((value) => value !== undefined);
    const greatest = Math.max(0, ...known);
    const min = Math.min(0, ...known);
    const columns = min < 0 ? room - 2 : room - 1;
    this.#perUnit = greatest === min ? 0 : columns / (greatest - min);
    this.#left = Math.ceil(-min * this.#perUnit);
  }

  /** Returns the bar of a value; empty without a value. */
  bar(value: number | undefined): string {
    if (value === undefined) return "";
    const length = Math.abs(value) * this.#perUnit;
    if (this.#left === 0) return wholeAndPart(length);
    if (value >= 0) return `${" ".repeat(this.#left)}│${wholeAndPart(length)}`;
    return `${"█".repeat(Math.max(1, Math.round(length))).padStart(this.#left)}│`;
  }
}

function wholeAndPart(length: number): string {
  const parts = Math.round(length * 8);
  return `${"█".repeat(Math.floor(parts / 8))}${eighths[parts % 8]}`;
}
