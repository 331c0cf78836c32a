import type { MetricResult } from "../result/trial-result.ts";

type Unit = MetricResult["unit"];

/** A score for people, with the digits that tell it from `other`, and no more than four of them otherwise. */
export function amount(score: number, unit: Unit, other?: number): string {
  const few = withUnit(shortened(score), unit);
  const isSame = other !== undefined && other !== score && withUnit(shortened(other), unit) === few;
  return isSame ? withUnit(String(score), unit) : few;
}

function shortened(score: number): string {
  return String(Number(score.toPrecision(4)));
}

function withUnit(number: string, unit: Unit): string {
  switch (unit) {
    case "seconds":
      return `${number} s`;
    case "usd":
      return `$${number}`;
    case "steps":
      return `${number} ${number === "1" ? "step" : "steps"}`;
    case null:
      return number;
  }
}
