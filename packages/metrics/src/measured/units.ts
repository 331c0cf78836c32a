import { formatDollars, formatDuration, type MetricUnit } from "@bridle/protocol";

export const seconds: MetricUnit = {
  id: "seconds",
  format: (value) => formatDuration(value * 1000),
  attach: (digits) => `${digits} s`,
};

export const dollars: MetricUnit = {
  id: "usd",
  format: formatDollars,
  attach: (digits) => `$${digits}`,
};

export const steps: MetricUnit = {
  id: "steps",
  format: (value) => String(Math.round(value * 100) / 100),
  attach: (digits) => `${digits} ${digits === "1" ? "step" : "steps"}`,
};
