import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";

/** A metric that calls a function of the user. The package that runs tests loads and runs the function. */
export const codeMetric = defineMetric({
  name: "code",
  type: "code",
  kind: "code",
  description: "Your own function scores the answer.",
  settings: {
    name: z.string().trim().min(1).describe("The name of the metric."),
    file: z
      .string()
      .min(1)
      .describe("A TypeScript or JavaScript module, or a Python file. Relative to this file's folder."),
    function: z.string().trim().min(1).describe("The name of its export."),
    runtime: z
      .enum(["node", "python"])
      .exactOptional()
      .describe("python runs the function in a Python file in a separate process. Default: by the extension of file."),
    python: z
      .string()
      .min(1)
      .exactOptional()
      .describe("The program that runs a Python file, such as .venv/bin/python. Default: python3."),
  },
  files: ["file"],
  unsupported: {
    grader: "write graders.exact:check as file: graders/exact.py and function: check.",
  },
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the score that your function returns",
    range: "0 to 1",
    needs: "`file`, `function`",
    cost: "depends on your function",
  },
  label: ({ name }) => name,
  open: (settings, { openGrader }) => openGrader(settings),
});
