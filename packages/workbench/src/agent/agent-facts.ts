import type { ApiAgent } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import type { Fact } from "../status/facts.tsx";

type Details = NonNullable<ApiAgent["details"]>;

/** Returns the facts about an agent that `bridle agent show` prints. */
export function agentFacts({
  file,
  backend,
  model,
  limits,
  policy,
  answers,
  testCases,
  instructions,
}: Details): readonly Fact[] {
  const max = [
    `${limits.steps} steps`,
    ...(limits.seconds === null ? [] : [`${limits.seconds} s`]),
    ...(limits.costUsd === null ? [] : [`$${limits.costUsd}`]),
  ];
  return [
    { name: "File", value: file },
    { name: "Model", value: [backend, model].filter(Boolean).join(", ") },
    { name: "A run has at most", value: max.join(", ") },
    ...(policy === null ? [] : [{ name: "Own rules", value: `mode ${policy.mode}, ${counted(policy.rules, "rule")}` }]),
    { name: "Answers with", value: answers === "object" ? "an object" : "text" },
    { name: "Test cases", value: String(testCases) },
    {
      name: "Instructions",
      value: `${counted(instructions.characters, "character")}, ${instructions.file ?? "in the file"}`,
    },
  ];
}
