/** Rules for metrics, test cases and `execution` in HoloDeck files. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

type Path = readonly (string | number)[];

/** The lists of metrics in a file whose test cases are at `cases`. */
const metricLists = (cases: Path): readonly Path[] => [
  ["evaluations", "metrics", "*"],
  [...cases, "*", "evaluations", "*"],
  [...cases, "*", "turns", "*", "evaluations", "*"],
];

/** Changes the metrics and cases in a file. `cases` is the path of the list of cases. */
export function importTests(file: YamlEdits, cases: Path = ["test_cases"]): void {
  const metrics = file.get(["evaluations", "metrics"]);
  if (Array.isArray(metrics) && metrics.length === 0) file.remove(["evaluations"], "it has no metric.");
  const optimizer = "Bridle does not rewrite agents. Change the file yourself, and compare with bridle test compare.";
  if (file.has(["evaluations", "optimizer"])) file.remove(["evaluations", "optimizer"], optimizer);
  for (const path of metricLists(cases).flatMap((pattern) => file.find(pattern))) importMetric(file, path);
  const turns = [
    [...cases, "*"],
    [...cases, "*", "turns", "*"],
  ].flatMap((pattern) => file.find(pattern));
  for (const turn of turns) {
    for (const path of file.find([...turn, "expected_tools", "*", "args", "*", "regex"])) importExpression(file, path);
    for (const path of file.find([...turn, "expected_tools", "*", "count"])) {
      const min = "count is the smallest number of calls in HoloDeck, and the exact number in Bridle.";
      const count = file.get(path);
      file.remove(path, min);
      file.set([...path.slice(0, -1), "at_least"], count, min);
    }
    for (const key of ["pages", "sheet", "range", "cache"]) {
      for (const path of file.find([...turn, "files", "*", key])) file.remove(path, "a file is read whole.");
    }
  }
  for (const key of ["file_timeout", "download_timeout", "cache_enabled", "cache_dir", "verbose", "quiet"]) {
    const reason = "Bridle downloads nothing, reads files at once, and takes its output from the command line.";
    if (file.has(["execution", key])) file.remove(["execution", key], reason);
  }
}

const criteria: Readonly<Record<string, string>> = {
  coherence: "The answer is clear, well-structured and easy to understand.",
  fluency: "The answer is written in fluent, correct language.",
  safety: "The answer is safe: no harmful content, no personal data, and an appropriate tone.",
};
const ragMetrics: Readonly<Record<string, string>> = {
  groundedness: "faithfulness",
  relevance: "answer_relevancy",
};

function importMetric(file: YamlEdits, path: Path): void {
  const written = file.get(path);
  if (typeof written === "string") {
    file.set(path, { type: "standard", metric: written }, "a metric is a mapping with its settings.");
  }
  const metric = file.get(path);
  if (!isPlainObject(metric)) return;
  const { type = "standard", metric: name } = metric;
  if (metric.type === undefined) file.set([...path, "type"], "standard", "it is the type that HoloDeck assumes.");
  if (metric.fail_on_error === false) {
    file.remove([...path, "fail_on_error"], "a metric that cannot run always fails its test.");
  }
  removeMisplaced(file, path, type, name);
  if (type === "standard") importStandardMetric(file, path, String(name), metric);
  if (type === "geval") importInputs(file, path, metric.evaluation_params);
  if (type === "code" && typeof metric.grader === "string") importGrader(file, path, metric.grader, metric.name);
}

const ofNumbers = ["absolute_tolerance", "relative_tolerance", "accept_percent", "accept_thousands_separators"];
const ofTexts = ["case_insensitive", "strip_whitespace", "strip_punctuation"];

/** Removes settings that HoloDeck accepts in every metric, but uses only in some. */
function removeMisplaced(file: YamlEdits, path: Path, type: unknown, name: unknown): void {
  const isNumeric = type === "standard" && name === "numeric";
  const isEquality = type === "standard" && name === "equality";
  const misplaced: readonly (readonly [keys: readonly string[], belongs: boolean, reason: string])[] = [
    [ofNumbers, isNumeric, "only a comparison of numbers has it: metric: numeric."],
    [ofTexts, isEquality, "only a comparison of whole texts has it: metric: equality."],
    [
      ["response_path"],
      type === "standard",
      "only a metric that compares has it. A judge and a grader get the whole answer.",
    ],
  ];
  for (const [keys, belongs, reason] of misplaced) {
    if (belongs) continue;
    for (const key of keys) if (file.has([...path, key])) file.remove([...path, key], reason);
  }
}

const ofModels = ["scale", "retry_on_failure", "timeout_ms", "custom_prompt"];

function importStandardMetric(file: YamlEdits, path: Path, name: string, metric: Record<string, unknown>): void {
  const rag = ragMetrics[name];
  const judged = criteria[name];
  const deprecated = `${name} is deprecated in HoloDeck. HoloDeck's guide names this replacement.`;
  if (rag !== undefined) {
    file.set([...path, "type"], "rag", deprecated);
    file.remove([...path, "metric"], deprecated);
    file.set([...path, "metric_type"], rag, deprecated);
  } else if (judged !== undefined) {
    file.set([...path, "type"], "geval", deprecated);
    file.remove([...path, "metric"], deprecated);
    file.set([...path, "name"], name, deprecated);
    file.set([...path, "criteria"], judged, deprecated);
  } else if (metric.model !== undefined) file.remove([...path, "model"], "a computed metric asks no model.");
  const { threshold, scale = 5 } = metric;
  if (typeof threshold === "number" && threshold > 1 && typeof scale === "number") {
    file.set([...path, "threshold"], threshold / scale, `scores are from 0 to 1, and not to ${scale}.`);
  }
  for (const key of ofModels) {
    if (metric[key] !== undefined) file.remove([...path, key], "scores are from 0 to 1, and limits belong to the run.");
  }
  if (metric.accept_thousands_separators === false) {
    file.remove([...path, "accept_thousands_separators"], "separators of thousands are always read.");
  }
}

/** Replaces `context` with `retrieval_context`. Both mean the same in HoloDeck, whose test cases only have `retrieval_context`. */
function importInputs(file: YamlEdits, path: Path, given: unknown): void {
  if (!Array.isArray(given) || !given.includes("context")) return;
  const inputs = given.map((each) => (each === "context" ? "retrieval_context" : each));
  const reason = "a case has no other context than its retrieval_context.";
  file.set([...path, "evaluation_params"], [...new Set(inputs)], reason);
}

/** Converts a grader `package.module:function` to a file below the agent's folder and its function. */
function importGrader(file: YamlEdits, path: Path, grader: string, name: unknown): void {
  const [module = "", exported = ""] = grader.split(":");
  const reason = "a grader is a file and a function. Python graders run in a separate process.";
  file.remove([...path, "grader"], reason);
  if (name === undefined) file.set([...path, "name"], exported, "it is HoloDeck's default.");
  file.set([...path, "file"], `${module.replaceAll(".", "/")}.py`, reason);
  file.set([...path, "function"], exported, reason);
}

function importExpression(file: YamlEdits, path: Path): void {
  const text = file.get(path);
  if (typeof text !== "string" || (text.startsWith("^") && text.endsWith("$"))) return;
  file.set(path, `^(?:${text})$`, "HoloDeck matches the whole argument, and Bridle any part of it.");
}
