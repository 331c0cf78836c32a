import { attachUnit } from "../report/numbers.ts";
import type { MetricResult } from "../result/trial-result.ts";

type Unit = MetricResult["unit"];

/** Formats a score with its unit, with four digits, or with as many as it takes to differ from `other`. */
export function preciseScore(score: number, unit: Unit, other?: number): string {
  const short = attachUnit(fourDigits(score), unit);
  const looksEqual = other !== undefined && other !== score && attachUnit(fourDigits(other), unit) === short;
  return looksEqual ? attachUnit(String(score), unit) : short;
}

function fourDigits(score: number): string {
  return String(Number(score.toPrecision(4)));
}
