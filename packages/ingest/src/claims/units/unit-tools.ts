/** Creates all tools that a unit has. */
import { type AnyTool, defineTool, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import { ingestSkills } from "../../skills/skills.ts";
import { proposalTools } from "./proposal-tools.ts";
import { formatPassages, type UnitPassages } from "./unit-passages.ts";
import type { UnitProposals } from "./unit-proposals.ts";

/** The context's tools that a unit may use. All of them only read. */
const readingTools = ["search_context", "describe", "find_value", "run_sql", "query_metrics", "read_page"];
/** Tools whose results count as measured. */
const measuringTools = new Set(["run_sql", "query_metrics"]);

export function unitTools(
  passages: UnitPassages,
  proposals: UnitProposals,
  contextTools: readonly AnyTool[],
): readonly AnyTool[] {
  const reading = contextTools
    .filter(({ name }) => readingTools.includes(name))
    .map((tool) => measuring(tool, proposals));
  return [readSourceTool(passages), loadSkillTool(), ...reading, ...proposalTools(proposals)];
}

function readSourceTool(passages: UnitPassages): AnyTool {
  return defineTool({
    name: "read_source",
    description: "Read a passage that is not in the prompt.",
    annotations: { readOnly: true, idempotent: true },
    input: z.object({ passage: z.string().describe("Its name, such as p3.") }),
    execute: async ({ passage }): Promise<ToolOutput> => {
      const found = passages.find(passage);
      if (found !== undefined) return { markdown: formatPassages([found]) };
      const last = passages.all.at(-1)?.name ?? "p1";
      return { markdown: `There is no passage ${passage.slice(0, 40)}. There are p1 to ${last}.`, isError: true };
    },
  });
}

function loadSkillTool(): AnyTool {
  return defineTool({
    name: "load_skill",
    description: "Read a short guide. The names are in your instructions.",
    annotations: { readOnly: true, idempotent: true },
    input: z.object({ name: z.string() }),
    execute: async ({ name }): Promise<ToolOutput> => {
      const skill = ingestSkills().get(name);
      if (skill !== undefined) return { markdown: skill.text };
      return {
        markdown: `There is no skill of this name. There are: ${[...ingestSkills().keys()].join(", ")}.`,
        isError: true,
      };
    },
  });
}

/** Wraps a tool so that its results are recorded as measured numbers. */
function measuring(tool: AnyTool, proposals: UnitProposals): AnyTool {
  if (!measuringTools.has(tool.name)) return tool;
  return {
    ...tool,
    execute: async (input, context) => {
      const output = await tool.execute(input, context);
      const { markdown, isError = false } = typeof output === "string" ? { markdown: output } : output;
      if (!isError) proposals.addMeasured(markdown);
      return output;
    },
  };
}
